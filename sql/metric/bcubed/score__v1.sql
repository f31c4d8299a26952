/*
title:    B-CUBED precision, recall and F1 of a run, by story and by topic
formula:  story: b3_precision = (sum_j n(., j) precision(j) + n_one) / (sum_j n(., j) + n_zero + n_one)
          topic: b3_precision = (sum_j precision(j) + n_one) / (number of system topics + n_one)
          b3_recall likewise over the reference topics;
          b3_f1 = 2 b3_precision b3_recall / (b3_precision + b3_recall), 0 where both are 0
          n_zero and n_one: the stories of the other side only, as the profile's b3_unassigned (precision)
          and b3_unjudged (recall) say: exclude (neither), drop (removed from both sides), zero or singleton
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, figures 3 (story) and 6 (topic; in its recall the denominator
          is |{s1 : ref(t1, s) ref(t1, s1)}| and the outer sum runs over the reference topics)
inputs:   metric.bcubed_side_topic__v1, metric.bcubed_outside__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no         key           run
    profile_no     key           scoring profile
    subset_no      key           subset; always 0, all
    weighting      key           story or topic
    n_precision    count         stories or system topics in the mean of the precision
    n_recall       count         stories or reference topics in the mean of the recall
    n_f1           count         the smaller of n_precision and n_recall; 0 where b3_f1 is NULL
    b3_precision   ratio [0, 1]  NULL where nothing enters the mean
    b3_recall      ratio [0, 1]  NULL where nothing enters the mean
    b3_f1          ratio [0, 1]  NULL where one of the two is
    n_overlapping  count         stories with several topics on a side
    null_reason    text          several topics: all are NULL because n_overlapping > 0
metrics:
    b3_precision  n=n_precision  best=highest  B-CUBED precision
    b3_recall     n=n_recall     best=highest  B-CUBED recall
    b3_f1         n=n_f1         best=highest  B-CUBED F1
edges:    The formulas of figures 3 and 6 leave [0, 1] where a story has several
          topics; such a run has extended_score__v1 only.
          Every tracking run has both rows.
class:    exact
see also: topic__v1, extended_score__v1
*/
with

-- fixed point: whole numbers of 1e-15, summed exactly, divided once
topic_total as (
    select
        run_no, profile_no, is_response, cast(count(*) as bigint) as n_own_topic, whole_sum(n_story) as n_own_story,
        sum(whole_units(ratio)) as sum_topic, sum(story_sum) as sum_story
    from metric.bcubed_side_topic__v1
    group by run_no, profile_no, is_response
),

total as (
    select
        run_no, profile_no, is_response, n_overlapping,
        coalesce(n_own_story, 0) + case when n_overlapping > 0 then 0 else n_zero + n_one end as n_story,
        coalesce(n_own_topic, 0) + case when n_overlapping > 0 then 0 else n_one end as n_topic,
        case when n_overlapping > 0 then 0 else n_one end as n_alone, coalesce(sum_topic, 0) as sum_topic_of_side,
        coalesce(sum_story, 0) as sum_story_of_side
    from metric.bcubed_outside__v1
    left join topic_total using (run_no, profile_no, is_response)
),

mean as (
    select
        run_no, profile_no, is_response, 'story' as weighting, n_overlapping, n_story as n_value,
        case
            when n_story > 0
                then cast(
                    sum_story_of_side + cast(n_alone as decimal(38, 0)) * cast(1000000000000000 as decimal(38, 0))
                    as double
                ) / (1e15 * n_story)
        end as ratio
    from total
    union all
    select
        run_no, profile_no, is_response, 'topic' as weighting, n_overlapping, n_topic as n_value,
        case
            when n_topic > 0
                then cast(
                    sum_topic_of_side + cast(n_alone as decimal(38, 0)) * cast(1000000000000000 as decimal(38, 0))
                    as double
                ) / (1e15 * n_topic)
        end as ratio
    from total
),

side as (
    select
        run_no, profile_no, weighting, max(n_overlapping) as n_overlapping_of_run,
        max(case when is_response = 1 then n_value else 0 end) as n_precision,
        max(case when is_response = 0 then n_value else 0 end) as n_recall,
        max(case when is_response = 1 then ratio end) as b3_precision,
        max(case when is_response = 0 then ratio end) as b3_recall
    from mean
    group by run_no, profile_no, weighting
)

select
    run_no, profile_no, 0 as subset_no, weighting, n_precision, n_recall,
    case when n_precision < n_recall then n_precision else n_recall end as n_f1,
    b3_precision, b3_recall,
    case
        when b3_precision + b3_recall > 0 then 2 * b3_precision * b3_recall / (b3_precision + b3_recall)
        when b3_precision + b3_recall = 0 then cast(0 as double)
    end as b3_f1,
    n_overlapping_of_run as n_overlapping,
    case when n_overlapping_of_run > 0 then 'several topics' end as null_reason
from side
