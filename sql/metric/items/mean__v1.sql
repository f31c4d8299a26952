/*
title:    Mean score of a run
formula:  topic: mean over the items that the run has; topic_all: over all items of the measure, each missing one as
          missing_value; story: over samples; group: mean over groups of the mean in the group; weight: sum w x / sum w
source:   E. Miller, Adding Error Bars to Evals (arXiv 2411.00640), section 2; lm-evaluation-harness 0.4.13,
          lm_eval/api/metrics.py (aggregate_subtask_metrics)
inputs:   metric.items_total__v1, metric.items_group__v1, base.item_of_measure, base.subset_cell,
          base.item_measure, base.item, registry.run, registry.condition, registry.condition_profile, registry.profile
grain:    run_no, profile_no, subset_no, weighting, measure
columns:
    run_no      key    run
    profile_no  key    scoring profile
    subset_no   key    subset; 0 is all
    weighting   key    topic, topic_all, story, group or weight
    measure     key    measure
    value       score  the mean; NULL of nothing, and of topic_all where lower is better: no value is the worst
    n           count  items, samples or groups in the mean
metrics:
    value as {measure}  n=n  best={best}  Mean score
class:    exact
*/
with member as (
    select condition_no, measure_no, block_no, 0 as subset_no from base.item_of_measure
    union all
    select condition_no, measure_no, block_no, subset_no
    from base.item_of_measure join base.subset_cell using (condition_no, block_no)
),

size as (select condition_no, measure_no, subset_no, count(*) as n_all from member group by all),

grouped as (
    select *, power_of_two(max(abs(mean)) over (partition by run_no, measure_no)) as unit from metric.items_group__v1
),

group_mean as (
    select run_no, subset_no, measure_no, scaled_mean(mean, unit) as group_mean, count(*) as n_group
    from grouped group by all
),

total as (
    select
        run_no, profile_no, subset_no, measure, is_lower_better, missing_value, n_all, coalesce(n_item, 0) as n_there,
        mean, n_sample, sample_mean, n_weight, weighted_mean, group_mean, n_group
    from registry.run join registry.condition_profile using (condition_no) join registry.profile using (profile_no)
    join base.item_measure using (condition_no)
    join size using (condition_no, measure_no)
    left join metric.items_total__v1 using (run_no, subset_no, measure_no)
    left join group_mean using (run_no, subset_no, measure_no)
),

asked as (
    select run_no, max(group_by) as group_by, max(weight) as weight
    from registry.run join registry.condition using (condition_no) join base.item using (condition_no) group by run_no
)

select run_no, profile_no, subset_no, 'topic' as weighting, measure, mean as value, n_there as n from total
union all
select
    run_no, profile_no, subset_no, 'topic_all' as weighting, measure,
    case
        when is_lower_better = 0 then (coalesce(mean * n_there, 0e0) + (n_all - n_there) * missing_value) / n_all
    end as value,
    n_all as n
from total
union all
select run_no, profile_no, subset_no, 'story' as weighting, measure, sample_mean as value, coalesce(n_sample, 0) as n
from total
union all
select run_no, profile_no, subset_no, 'weight' as weighting, measure, weighted_mean as value, coalesce(n_weight, 0) as n
from total join asked using (run_no) where weight is not null
union all
select run_no, profile_no, subset_no, 'group' as weighting, measure, group_mean as value, coalesce(n_group, 0) as n
from total join asked using (run_no) where group_by <> ''
