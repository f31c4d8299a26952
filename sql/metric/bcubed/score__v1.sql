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
    b3_f1          ratio [0, 1]  NULL without a precision or a recall
    n_overlapping  count         stories with several topics on a side
    null_reason    text          several topics: all are NULL because n_overlapping > 0
metrics:
    b3_precision  n=n_precision  best=highest  B-CUBED precision
    b3_recall     n=n_recall     best=highest  B-CUBED recall
    b3_f1         n=n_f1         best=highest  B-CUBED F1
edges:    The formulas of figures 3 and 6 leave [0, 1] where a story has several
          topics; such a run has extended_score__v1 only.
          Every tracking run has both rows.
          Figure 6 as printed has a recall of 1 for every run only where its first factor is the size of the response
          topic; with that of the reference topic of the same name R1 has .8125 and R4 .85 (see topic__v1).
class:    exact
see also: topic__v1, extended_score__v1
*/
with topic_total as (
    select
        run_no, profile_no, is_response, cast(count(*) as bigint) as n_topic, whole_sum(n_story) as n_story,
        sum(whole_units(ratio)) as sum_topic, sum(story_sum) as sum_story
    from metric.bcubed_side_topic__v1 group by all
),

-- the stories of the other side only count where no story has several topics
mean as (
    select
        run_no, profile_no, is_response, n_overlapping, weighting,
        case when n_overlapping > 0 then 0 else n_one end as n_alone,
        case when n_overlapping = 0 and weighting = 'story' then n_zero else 0 end as n_lost,
        coalesce(case when weighting = 'story' then n_story else n_topic end, 0) + n_lost + n_alone as n_value,
        coalesce(case when weighting = 'story' then sum_story else sum_topic end, 0) as total,
        ratio(cast(total + count_units(n_alone) as double), 1e15 * n_value) as ratio
    from metric.bcubed_outside__v1
    left join topic_total using (run_no, profile_no, is_response)
    cross join (select 'story' as weighting union all select 'topic' as weighting) as reach
)

select
    run_no, profile_no, 0 as subset_no, weighting, max(n_value) filter (where is_response = 1) as n_precision,
    max(n_value) filter (where is_response = 0) as n_recall,
    case when n_precision < n_recall then n_precision else n_recall end as n_f1,
    max(ratio) filter (where is_response = 1) as b3_precision, max(ratio) filter (where is_response = 0) as b3_recall,
    harmonic_mean(b3_precision, b3_recall) as b3_f1, max(n_overlapping) as n_overlapping,
    case when max(n_overlapping) > 0 then 'several topics' end as null_reason
from mean group by all
