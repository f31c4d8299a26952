/*
title:       Topics lost against a baseline
question:    On which topics is a run worse than a baseline, and are misses or false alarms the cause?
about:       topics
inputs:      report.topic_difference, report.block_score, report.condition
parameters:
    run        run        needed  the run
    baseline   run        needed  the run it is held against
    condition  condition  none    one condition; none: all that both answer
    profile    profile    none    one scoring profile; none: all
    metric     metric     none    the metric to show; none: the primary metric of the task
grain:       condition_id, profile_id, metric, block_id
columns:
    condition_id      key     evaluation condition
    profile_id        key     scoring profile
    metric            key     metric id
    block_id          key     topic, event, block of links or attribute
    value             double  the run's number
    baseline_value    double  the baseline's
    difference        double  value - baseline_value
    more_miss         number  misses of the run beyond those of the baseline; NULL where nothing is missed
    more_false_alarm  number  false alarms of the run beyond those of the baseline; NULL if none
order:       Largest loss first.
see also:    wins, worst_topics, report.topic_difference
*/
with

error as (
    select
        condition_id, profile_id, block_id, run_id,
        max(case when metric = 'n_miss' then cast(value as bigint) end) as n_miss,
        max(case when metric = 'n_false_alarm' then cast(value as bigint) end) as n_false_alarm
    from report.block_score
    where subset = 'all'
        and metric in ('n_miss', 'n_false_alarm')
    group by condition_id, profile_id, block_id, run_id
)

select
    condition_id, profile_id, metric, block_id, value, baseline_value, difference,
    own.n_miss - other.n_miss as more_miss,
    own.n_false_alarm - other.n_false_alarm as more_false_alarm
from report.topic_difference
join report.condition using (condition_id)
left join error as own using (condition_id, profile_id, block_id, run_id)
left join error as other
    on other.condition_id = topic_difference.condition_id
    and other.profile_id = topic_difference.profile_id
    and other.block_id = topic_difference.block_id
    and other.run_id = topic_difference.baseline_id
where topic_difference.run_id = $run
    and baseline_id = $baseline
    and outcome = 'loss'
    and subset = 'all'
    and metric = coalesce($metric, primary_metric)
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
order by abs(difference) desc, condition_id, profile_id, metric, block_id
