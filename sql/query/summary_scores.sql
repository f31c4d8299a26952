/*
title:       Runs by metrics
question:    What are the usual numbers of each run, over all its data?
about:       runs
inputs:      report.score, report.leaderboard, registry.metric, registry.counted_run
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
grain:       condition_id, profile_id, run_id, metric
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    run_id        key     run
    metric        key     metric
    value         double  the number, in the weighting of the leaderboard; NULL where it is undefined
    is_best       flag    1: no run is better
order:       Conditions, profiles and runs by name; metrics in their usual order, user-defined ones last.
edges:       A metric that no run has a number of is left out.
show:        pivot row=run_id column=metric value=value
pages:       report 15 condition 15
see also:    leaderboard, all_scores
*/
with

usual as (
    select metric, row_number() over () as place
    from (values
        ('p_miss'), ('p_fa'), ('c_det_norm'), ('c_det_prel_norm'), ('eer'), ('min_c_det_norm'), ('act_c_det_norm'),
        ('cllr'), ('min_cllr'), ('auc'), ('precision'), ('recall'), ('f1'), ('t11su'), ('tdt5su'), ('b3_precision'),
        ('b3_recall'), ('b3_f1'), ('pair_f1'), ('ari'), ('v_measure'), ('ami_arithmetic'), ('conll_f1'), ('min_cost'),
        ('c_travel_norm'), ('neg'), ('nelg'), ('comprehensiveness'), ('latency_comprehensiveness'), ('h'), ('ee')
    ) as listed(metric)
),

board as (
    select distinct condition_id, profile_id, metric as primary_metric, weighting
    from report.leaderboard
    where subset = 'all'
),

direction as (select metric, min(best) as best from registry.metric group by metric),

number as (
    select
        condition_id, profile_id, run_id, metric, value, place,
        case best
            when 'highest' then max(value) filter (where counts = 1) over cell
            when 'lowest' then min(value) filter (where counts = 1) over cell
        end as top,
        count(value) filter (where counts = 1) over cell as n_value,
        counts
    from report.score
    join board using (condition_id, profile_id, weighting)
    left join usual using (metric)
    left join direction using (metric)
    left join (select condition_id, run_id, 1 as counts from registry.counted_run) as counted
        using (condition_id, run_id)
    where subset = 'all'
        and (place is not null or metric = primary_metric or starts_with(metric, 'own:'))
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
    window cell as (partition by condition_id, profile_id, metric)
)

select
    condition_id, profile_id, run_id, metric, value,
    case when n_value > 1 and counts = 1 and value = top then 1 else 0 end as is_best
from number
where run_id = coalesce($run, run_id)
    and n_value > 0
order by condition_id, profile_id, place nulls last, metric, run_id
