/*
title:    Current computations with the count and the hash of their results that the ledger recorded
*/
select
    computation_no, condition_id || '/' || run_id as run, newest.profile_id, entry_no, made.n_value, result_sha256
from ledger.current_computation as newest
left join ledger.computation_made as made using (computation_no)
where list_contains($conditions, condition_id) or len($conditions) = 0
order by computation_no
