/*
title:  The runs whose stored numbers are stale, by profile; runs: of these, NULL: of all
*/
select run.condition_no, run.run_no, wanted.profile_no, condition.task
from registry.run
join registry.condition on condition.condition_no = run.condition_no
join registry.condition_profile as wanted on wanted.condition_no = run.condition_no
anti join ledger.current_computation as newest on newest.run_no = run.run_no and newest.profile_no = wanted.profile_no
where coalesce(list_contains($runs, run.run_no), true)
order by all
