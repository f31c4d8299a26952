/*
title:  The current computations with names: what of which run under which profile, and its hash over all numbers
*/
select
    condition_no, run_no, profile_no, task, computation_no, condition_id || '/' || run_id as run, profile_id as profile,
    n_value, result_sha256
from ledger.current_computation
join ledger.computation using (computation_no, run_no, profile_no)
order by condition_no, task, run_no, profile_no, computation_no
