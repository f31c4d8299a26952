/*
title:    Extended B-CUBED precision, recall and F1 of a run, by story and by topic
formula:  story: mean over the stories of a side of their ratio (overlap_ratio__v1; by cells where a story has one topic)
          topic: mean over the topics of a side of extended_topic__v1
          the stories of the other side only enter as in score__v1 (n_zero, n_one);
          b3_ext_f1 = 2 b3_ext_precision b3_ext_recall / (b3_ext_precision + b3_ext_recall), 0 where both are 0
source:   E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics, section 5;
          A. Bagga, Enhancing the TDT Tracking Evaluation, figure 6 (weighting topic)
inputs:   metric.bcubed_extended_side_topic__v1, metric.bcubed_side_cell__v1, metric.bcubed_overlap_ratio__v1, metric.bcubed_outside__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no            key           run
    profile_no        key           scoring profile
    subset_no         key           subset; always 0, all
    weighting         key           story or topic
    n_precision       count         stories or system topics in the mean of the precision
    n_recall          count         stories or reference topics in the mean of the recall
    n_f1              count         n_precision + n_recall; 0 where b3_ext_f1 is NULL
    b3_ext_precision  ratio [0, 1]  NULL where nothing enters the mean
    b3_ext_recall     ratio [0, 1]  NULL where nothing enters the mean
    b3_ext_f1         ratio [0, 1]  NULL where one of the two is
metrics:
    b3_ext_precision  n=n_precision  best=highest  Extended B-CUBED precision
    b3_ext_recall     n=n_recall     best=highest  Extended B-CUBED recall
    b3_ext_f1         n=n_f1         best=highest  Extended B-CUBED F1
edges:    Where every story has one topic at most these are the numbers of score__v1.
          Every tracking run has both rows, however many topics its stories have.
class:    exact
see also: extended_topic__v1, score__v1
*/
with

single_story as (
    select
        run_no, profile_no, is_response,
        own_no as block_no,
        cast(sum(n_story) as bigint) as n_story
    from metric.bcubed_side_cell__v1
    group by run_no, profile_no, is_response, own_no
),

-- fixed point: whole numbers of 1e-15, summed exactly, divided once
part as (
    select
        run_no, profile_no, is_response,
        1 as n_topic,
        cast(floor(ratio * 1e15 + 5e-1) as decimal(38, 0)) as sum_topic,
        coalesce(single_story.n_story, 0) as n_story,
        single_sum as sum_story
    from metric.bcubed_extended_side_topic__v1
    left join single_story using (run_no, profile_no, is_response, block_no)
    union all
    select
        run_no, profile_no, is_response,
        0 as n_topic,
        cast(0 as decimal(38, 0)) as sum_topic,
        n_story,
        cast(floor(ratio * 1e15 + 5e-1) as decimal(38, 0)) * cast(n_story as decimal(38, 0)) as sum_story
    from metric.bcubed_overlap_ratio__v1
),

side_total as (
    select
        run_no, profile_no, is_response,
        cast(sum(n_topic) as bigint) as n_topic,
        sum(sum_topic) as sum_topic,
        cast(sum(n_story) as bigint) as n_story,
        sum(sum_story) as sum_story
    from part
    group by run_no, profile_no, is_response
),

total as (
    select
        run_no, profile_no, is_response, n_zero, n_one,
        coalesce(n_topic, 0) as n_topic,
        coalesce(n_story, 0) as n_story,
        coalesce(sum_topic, 0) as sum_topic,
        coalesce(sum_story, 0) as sum_story
    from metric.bcubed_outside__v1
    left join side_total using (run_no, profile_no, is_response)
),

mean as (
    select
        run_no, profile_no, is_response,
        'story' as weighting,
        n_story + n_zero + n_one as n_value,
        case
            when n_story + n_zero + n_one > 0
                then cast(sum_story + cast(n_one as decimal(38, 0)) * cast(1000000000000000 as decimal(38, 0)) as double) / (1e15 * (n_story + n_zero + n_one))
        end as ratio
    from total
    union all
    select
        run_no, profile_no, is_response,
        'topic' as weighting,
        n_topic + n_one as n_value,
        case
            when n_topic + n_one > 0
                then cast(sum_topic + cast(n_one as decimal(38, 0)) * cast(1000000000000000 as decimal(38, 0)) as double) / (1e15 * (n_topic + n_one))
        end as ratio
    from total
),

side as (
    select
        run_no, profile_no, weighting,
        max(case when is_response = 1 then n_value else 0 end) as n_precision,
        max(case when is_response = 0 then n_value else 0 end) as n_recall,
        max(case when is_response = 1 then ratio end) as b3_ext_precision,
        max(case when is_response = 0 then ratio end) as b3_ext_recall
    from mean
    group by run_no, profile_no, weighting
)

select
    run_no, profile_no,
    0 as subset_no,
    weighting, n_precision, n_recall,
    case when n_precision > 0 and n_recall > 0 then n_precision + n_recall else 0 end as n_f1,
    b3_ext_precision, b3_ext_recall,
    case
        when b3_ext_precision + b3_ext_recall > 0
            then 2 * b3_ext_precision * b3_ext_recall / (b3_ext_precision + b3_ext_recall)
        when b3_ext_precision + b3_ext_recall = 0 then cast(0 as double)
    end as b3_ext_f1
from side
