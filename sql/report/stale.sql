/*
title:    Runs with outdated scores, by profile
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
select run_id, task, condition_id, profile_id
from registry.run join registry.condition using (condition_no) join registry.condition_profile using (condition_no)
join registry.profile using (profile_no)
where not exists (
    select 1
    from ledger.current_computation as current
    where current.run_no = run.run_no and current.profile_no = profile.profile_no
)
