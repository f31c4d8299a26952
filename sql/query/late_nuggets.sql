/*
title:       What a summary said late
question:    How long after its first source did a run send each nugget that it matched?
about:       summaries
inputs:      metric.summarization_taken_nugget__v1, base.nugget, base.run_update, base.block, registry.condition,
             registry.profile, registry.run
parameters:
    run      run      none  one run; none: all
    topic    topic    none  one event; none: all
    profile  profile  none  one scoring profile; none: all
grain:       condition_id, profile_id, run_id, block_id, nugget_id
columns:
    condition_id  key      evaluation condition
    profile_id    key      scoring profile
    run_id        key      run
    block_id      key      event
    nugget_id     key      nugget
    update_id     text     the first update with it
    seconds_late  seconds  decision_time - reference time of the nugget; below 0: sent before it
    nugget_text   text     the nugget
order:       Conditions, profiles, runs and events by name, the latest first.
see also:    first_detection, missed_nuggets, metric.summarization_taken_nugget
*/
with

said as (
    select condition_no, block_no, nugget_no, nugget_id, nugget_text
    from base.nugget
    qualify row_number() over (partition by condition_no, nugget_no order by row_no desc) = 1
)

select
    condition_id, profile_id, run_id, block_id, nugget_id, update_id,
    cast(taken.decision_time - nugget_time as bigint) as seconds_late,
    nugget_text
from metric.summarization_taken_nugget__v1 as taken
join registry.run using (run_no)
join registry.condition using (condition_no)
join registry.profile using (profile_no)
join base.block using (condition_no, block_no)
join said using (condition_no, block_no, nugget_no)
join base.run_update using (run_no, block_no, update_seq)
where run_id = coalesce($run, run_id)
    and block_id = coalesce($topic, block_id)
    and profile_id = coalesce($profile, profile_id)
order by condition_id, profile_id, run_id, block_id, seconds_late desc nulls last, nugget_id
