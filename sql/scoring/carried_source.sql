/*
title:  The runs and profiles of other conditions that thresholds of a run are carried over from
*/
select from_condition_no, from_run_no, profile_no
from ledger.carried_source
where run_no = $run_no and from_run_no is not null
order by all
