/*
title:  Computations that are not what the ledger says; present: each as its entry would be now
*/
with

present as (
    select cast(said[1] as bigint) as computation_no, said[2:] as said
    from (select unnest(from_json($present, '[["varchar"]]')) as said)
)

select
    case
        when entry_no is null
            then format(
                'computation {} is in the store, and no entry of the ledger says that it was made.', computation_no
            )
        else format('computation {} ({}) is not what ledger.entry {} says.', computation_no, owner, entry_no)
    end as message
from ledger.computation
left join ledger.computation_made as made using (computation_no)
left join present using (computation_no)
where list_contains($computations, computation_no)
    and said is distinct from [
        owner, made.profile_id, made.input_sha256, made.profile_sha256, made.definition_sha256,
        cast(made.n_value as varchar), made.result_sha256, made.tdtsql_version, made.duckdb_version
    ]
order by computation_no
