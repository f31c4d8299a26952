/*
title:    Runs whose numbers are not up to date, by profile
source:   ledger.computation
inputs:   registry.run, registry.condition, registry.condition_profile, registry.profile, ledger.current_computation
grain:    run_id, condition_id, profile_id
columns:
    run_id        key   run
    task          text  task of its condition
    condition_id  key   evaluation condition
    profile_id    key   scoring profile
edges:    `tdtsql score` computes these and empties this relation.
class:    exact
see also: score
*/
with

newest as (

    select
        computation.run_no as run_no,
        computation.profile_no as profile_no,
        1 as hit
    from ledger.current_computation as computation

)

select
    run.run_id as run_id,
    condition.task as task,
    condition.condition_id as condition_id,
    profile.profile_id as profile_id
from registry.run as run
inner join registry.condition as condition
    on condition.condition_no = run.condition_no
inner join registry.condition_profile as chosen
    on chosen.condition_no = run.condition_no
inner join registry.profile as profile
    on profile.profile_no = chosen.profile_no
left join newest as newest
    on newest.run_no = run.run_no
    and newest.profile_no = chosen.profile_no
where coalesce(newest.hit, 0) = 0
