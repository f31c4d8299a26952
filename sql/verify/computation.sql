/*
title:  Computations that are not what the ledger says; the hash of their numbers of subset all is compared apart
*/
with

present as (
    select
        computation_no, [
            'run:' || condition_id || '/' || run_id, profile_id, input_sha256,
            -- as of one text: after its length in bytes
            sha256(concat(strlen(profile_text), ':', profile_text)),
            definition_sha256, cast(n_value as varchar), result_sha256, tdtsql_version, duckdb_version
        ] as said
    from ledger.computation
    join registry.run using (run_no)
    join registry.condition using (condition_no)
    join registry.profile using (profile_no)
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
