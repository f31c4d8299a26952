/*
title:       Subsets by runs
question:    How good is each run in each subset of the trials?
about:       trials
inputs:      report.score, report.leaderboard, registry.metric, registry.task, registry.counted_run
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    metric     metric     none  one metric; none: that of the leaderboard, and the equal error rate
grain:       condition_id, profile_id, metric, subset, run_id
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    metric        key     metric
    subset        key     all first
    n             count   trials behind the number, or topics
    run_id        key     run
    value         double  its number, in the weighting of the leaderboard; NULL where it is undefined
    is_best       count   1: no run is better
order:       Conditions, profiles and metrics by name; all trials first, then subsets by name.
show:        pivot row=subset column=run_id value=value with=n by=metric
pages:       report 60 condition 60 run 40
edges:       An attribute that a whole class lacks, as bona fide speech has no attack, restricts the other class alone.
             Times of a curve over time are no subsets.
see also:    runs_by_subset, worst_subsets
*/
with

board as (
    select distinct condition_id, profile_id, metric as primary_metric, weighting
    from report.leaderboard
),

direction as (select metric, min(best) as best from registry.metric group by metric),

number as (
    select
        condition_id, profile_id, metric, subset, run_id, value, n,
        case direction.best
            when 'highest' then max(value) filter (where counts = 1) over cell
            when 'lowest' then min(value) filter (where counts = 1) over cell
        end as top,
        count(counts) over cell as n_run,
        counts,
        max(case when subset <> 'all' then 1 else 0 end) over (partition by condition_id, profile_id) as has_subsets
    from report.score
    join board using (condition_id, profile_id, weighting)
    join registry.task using (task)
    left join direction using (metric)
    left join (select condition_id, run_id, 1 as counts from registry.counted_run) as counted
        using (condition_id, run_id)
    where not starts_with(subset, 'tau=')
        and not starts_with(subset, 'attribute=')
        and run_id = coalesce($run, run_id)
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
        and (metric = $metric or $metric is null and (metric = board.primary_metric or metric = 'eer'))
    window cell as (partition by condition_id, profile_id, metric, subset)
)

select
    condition_id, profile_id, metric, subset, max(n) over (partition by condition_id, profile_id, metric, subset) as n,
    run_id, value, case when n_run > 1 and counts = 1 and value = top then 1 else 0 end as is_best
from number
where has_subsets = 1
order by condition_id, profile_id, metric, subset <> 'all', subset, run_id
