/*
title:  The runs and profiles whose thresholds are to be carried over from another condition, and are not yet
*/
select run_no, profile_no, 'run:' || condition_id || '/' || run_id
from ledger.carried_source
anti join base.carried_threshold using (run_no, profile_no)
order by all
