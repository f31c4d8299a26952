/*
title:    Current computations with the count and the hash of their results that the ledger recorded
*/
select
    computation_no, condition_id || '/' || run_id as run, profile_id, entry_no,
    cast(json_extract(detail, '$.n_value') as bigint) as n_value,
    json_extract_string(detail, '$.result_sha256') as sha256
from ledger.current_computation
left join ledger.entry
    on kind = 'compute' and cast(json_extract(detail, '$.computation_no') as bigint) = computation_no
where list_contains($conditions, condition_id) or len($conditions) = 0
order by computation_no
