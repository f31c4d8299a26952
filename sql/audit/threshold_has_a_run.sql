/*
title:    A profile that decides by a threshold of another condition finds the run of this name there
severity: warning
inputs:   registry.condition, registry.condition_profile, registry.profile, registry.run
checked:  after every load
*/
with

there as (
    select run_id, condition_id as decide_condition
    from registry.run
    join registry.condition using (condition_no)
)

select run_id, condition_id, profile_id, decide_condition
from registry.run
join registry.condition using (condition_no)
join registry.condition_profile using (condition_no)
join registry.profile using (profile_no)
anti join there using (run_id, decide_condition)
where decide_at = 'condition' and has_decision = 0
order by all
