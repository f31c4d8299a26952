/*
title:       Numbers over time
question:    How do the numbers of each run grow with the time after the event's start?
about:       summaries
inputs:      report.score, registry.task
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
grain:       condition_id, profile_id, metric, run_id, hours
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    metric        key     metric
    run_id        key     run
    hours         key     after the event's start
    value         double  the number then
order:       Conditions and profiles by name, comprehensiveness first, runs by name, times in order.
show:        xy x=hours y=value series=run_id panel=metric size=420x270 zero=xy x_title=hours_after_the_event's_start
pages:       report 110 run 50
see also:    late_nuggets
*/
with

point as (
    select
        condition_id, profile_id, metric, run_id, cast(replace(subset, 'tau=', '') as double) / 3600 as hours, value
    from report.score
    join registry.task using (task)
    where starts_with(subset, 'tau=')
        and value is not null
        and weighting = primary_weighting
        and run_id = coalesce($run, run_id)
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
)

select condition_id, profile_id, metric, run_id, hours, value
from point
order by
    condition_id, profile_id,
    coalesce(list_position(
        ['comprehensiveness_tau', 'latency_comprehensiveness_tau', 'eg_tau', 'nelg_tau', 'h_tau'], metric
    ), 9),
    metric, run_id, hours
