/*
title:  What the entries of computations say, from their rows in the ledger; without those whose run was dropped
*/
select
    computation_no, 'run:' || condition_id || '/' || run_id as owner, profile_id as profile, input_sha256,
    -- as of one text: after its length in bytes
    sha256(concat(strlen(profile_text), ':', profile_text)) as profile_sha256,
    definition_sha256, n_value, result_sha256, tdtsql_version as tdtsql, duckdb_version as duckdb
from ledger.computation
join registry.run using (run_no)
join registry.condition using (condition_no)
join registry.profile using (profile_no)
where computation_no in (select unnest($computations))
order by computation_no
