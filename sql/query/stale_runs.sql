/*
title:       Runs with outdated scores
question:    Which runs have no current numbers, because a file, a profile or a definition has changed?
about:       trust
inputs:      report.stale
parameters:
    condition  condition  none  one condition; none: all
grain:       condition_id, run_id, profile_id
columns:
    condition_id  key   evaluation condition
    run_id        key   run
    profile_id    key   scoring profile
    task          text  task
order:       Names.
pages:       overview 30
edges:       `tdtsql score` computes what is missing.
see also:    files_of_run, report.stale
*/
select condition_id, run_id, profile_id, task
from report.stale
where condition_id = coalesce($condition, condition_id)
order by condition_id, run_id, profile_id
