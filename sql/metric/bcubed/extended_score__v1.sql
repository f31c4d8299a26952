/*
title:    Extended B-CUBED precision, recall and F1 of a run, by story and by topic
formula:  story: mean over the stories of a side of their ratio (overlap_ratio__v1; by cells where a story has one
          topic)
          topic: mean over the topics of a side of extended_topic__v1
          the stories of the other side only enter as in score__v1 (n_zero, n_one);
          b3_ext_f1 = 2 b3_ext_precision b3_ext_recall / (b3_ext_precision + b3_ext_recall), 0 where both are 0
source:   E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics,
          section 5;
          A. Bagga, Enhancing the TDT Tracking Evaluation, figure 6 (weighting topic)
inputs:   metric.bcubed_extended_side_topic__v1, metric.bcubed_side_cell__v1, metric.bcubed_overlap_ratio__v1,
          metric.bcubed_overlap_work__v1, metric.bcubed_outside__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no            key           run
    profile_no        key           scoring profile
    subset_no         key           subset; always 0, all
    weighting         key           story or topic
    n_precision       count         stories or system topics in the mean of the precision
    n_recall          count         stories or reference topics in the mean of the recall
    n_f1              count         the smaller of n_precision and n_recall; 0 where b3_ext_f1 is NULL
    b3_ext_precision  ratio [0, 1]  NULL where nothing enters the mean
    b3_ext_recall     ratio [0, 1]  NULL where nothing enters the mean
    b3_ext_f1         ratio [0, 1]  NULL without a precision or a recall
    n_pair            count         pairs of units that the numbers take (overlap_work__v1)
    null_reason       text          too many pairs: all are NULL because they were not requested; `tdtsql score --metric
                                    b3_ext_f1` makes them
metrics:
    b3_ext_precision  n=n_precision  best=highest  Extended B-CUBED precision
    b3_ext_recall     n=n_recall     best=highest  Extended B-CUBED recall
    b3_ext_f1         n=n_f1         best=highest  Extended B-CUBED F1
edges:    Where every story has one topic at most these are the numbers of score__v1.
          Every tracking run has both rows, however many topics its stories have.
class:    exact
see also: extended_topic__v1, score__v1
*/
with single_story as (
    select run_no, profile_no, is_response, own_no as block_no, whole_sum(n_story) as n_single
    from metric.bcubed_side_cell__v1 group by all
),

-- fixed point: whole numbers of 1e-15, summed exactly, divided once
part as (
    select
        run_no, profile_no, is_response, 1 as n_topic, whole_units(ratio) as fixed_topic,
        coalesce(n_single, 0) as n_story, single_sum as fixed_story
    from metric.bcubed_extended_side_topic__v1
    left join single_story using (run_no, profile_no, is_response, block_no)
    union all
    select
        run_no, profile_no, is_response, 0 as n_topic, count_units(0) as fixed_topic, n_story,
        whole_units(ratio) * cast(n_story as decimal(38, 0)) as fixed_story
    from metric.bcubed_overlap_ratio__v1 where ratio is not null
),

total as (
    select
        run_no, profile_no, is_response, whole_sum(n_topic) as n_topic, sum(fixed_topic) as sum_topic,
        whole_sum(n_story) as n_story, sum(fixed_story) as sum_story
    from part group by all
),

-- the stories of the other side only count where the numbers are made
mean as (
    select
        run_no, profile_no, is_response, weighting, coalesce(n_pair, 0) as n_pair_of_run,
        coalesce(is_made, 1) as is_made_of_run, case when is_made_of_run = 1 then n_one else 0 end as n_alone,
        case when is_made_of_run = 1 and weighting = 'story' then n_zero else 0 end as n_lost,
        coalesce(case when weighting = 'story' then n_story else n_topic end, 0) + n_lost + n_alone as n_value,
        coalesce(case when weighting = 'story' then sum_story else sum_topic end, 0) as total_of_side,
        ratio(cast(total_of_side + count_units(n_alone) as double), 1e15 * n_value) as ratio
    from metric.bcubed_outside__v1
    left join total using (run_no, profile_no, is_response)
    left join metric.bcubed_overlap_work__v1 using (run_no, profile_no)
    cross join (select 'story' as weighting union all select 'topic' as weighting) as reach
)

select
    run_no, profile_no, 0 as subset_no, weighting, max(n_value) filter (where is_response = 1) as n_precision,
    max(n_value) filter (where is_response = 0) as n_recall,
    case when n_precision < n_recall then n_precision else n_recall end as n_f1,
    max(ratio) filter (where is_response = 1) as b3_ext_precision,
    max(ratio) filter (where is_response = 0) as b3_ext_recall,
    harmonic_mean(b3_ext_precision, b3_ext_recall) as b3_ext_f1, max(n_pair_of_run) as n_pair,
    case when max(is_made_of_run) = 0 then 'too many pairs' end as null_reason
from mean group by all
