/*
title:       When a tracked value was most wrong
question:    During which intervals was a run's belief farthest from the true value, and what did it believe?
about:       summaries
inputs:      metric.value_tracking_stretch__v1, base.true_value, base.submitted_value, base.block, registry.condition,
             registry.profile, registry.run
parameters:
    run      run      none  one run; none: all
    topic    topic    none  one attribute of an event, as EVENT/ATTRIBUTE; none: all
    profile  profile  none  one scoring profile; none: all
    limit    count    none  rows at most; none: all
grain:       condition_id, profile_id, run_id, block_id, from_time
columns:
    condition_id  key      evaluation condition
    profile_id    key      scoring profile
    run_id        key      run
    block_id      key      attribute of an event
    from_time     key      start of the interval, seconds since 1970
    seconds       seconds  how long it lasts
    true_value    double   what was true; NULL for a location
    believed      double   what the run believed; NULL for a location, and where nothing was submitted yet
    error         unit of the attribute  how far off: persons, dollars or kilometres
order:       Runs and attributes by name, the interval with the largest error first; the longer of equal ones.
see also:    across_conditions, metric.value_tracking_stretch
*/
select
    condition_id, profile_id, run_id, block_id, from_time,
    cast(to_time - from_time as bigint) as seconds,
    true_value.number as true_value,
    submitted_value.number as believed,
    error
from metric.value_tracking_stretch__v1
join registry.run using (run_no)
join registry.condition using (condition_no)
join registry.profile using (profile_no)
join base.block using (condition_no, block_no)
join base.true_value using (condition_no, block_no, true_no)
left join base.submitted_value using (run_no, block_no, value_no)
where run_id = coalesce($run, run_id)
    and block_id = coalesce($topic, block_id)
    and profile_id = coalesce($profile, profile_id)
order by condition_id, profile_id, run_id, block_id, error desc, seconds desc, from_time
limit $limit
