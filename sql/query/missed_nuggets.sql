/*
title:       What a summary did not say
question:    Which nuggets of an event did a run never send, the most important first?
about:       summaries
inputs:      base.summarization_nugget__v1, metric.summarization_taken_nugget__v1, base.nugget, base.block,
             registry.condition, registry.profile, registry.run
parameters:
    run      run      none  one run; none: all
    topic    topic    none  one event; none: all
    profile  profile  none  one scoring profile; none: all
grain:       condition_id, profile_id, run_id, block_id, nugget_id
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    run_id        key    run
    block_id      key    event
    nugget_id     key    nugget
    importance    grade  as the nuggets file says
    nugget_text   text   what should have been said
order:       Conditions, profiles, runs and events by name, the most important nugget first.
see also:    late_nuggets, metric.summarization_taken_nugget
*/
with

said as (
    select condition_no, block_no, nugget_no, nugget_id, nugget_text
    from base.nugget
    qualify row_number() over (partition by condition_no, nugget_no order by row_no desc) = 1
)

select condition_id, profile_id, run_id, block_id, nugget_id, importance, nugget_text
from base.summarization_nugget__v1
join said using (condition_no, block_no, nugget_no)
join base.block using (condition_no, block_no)
join registry.condition using (condition_no)
join registry.profile using (profile_no)
join registry.run using (condition_no)
anti join metric.summarization_taken_nugget__v1 using (run_no, profile_no, block_no, nugget_no)
where summarization_nugget__v1.is_scored = 1
    and run_id = coalesce($run, run_id)
    and block_id = coalesce($topic, block_id)
    and profile_id = coalesce($profile, profile_id)
order by condition_id, profile_id, run_id, block_id, importance desc, nugget_id
