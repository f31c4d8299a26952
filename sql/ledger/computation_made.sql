/*
title:    Computations that were ever made, as the ledger says
source:   ledger.entry, of kind compute
inputs:   ledger.entry
grain:    computation_no
columns:
    computation_no     key    the computation; a number is never used again
    entry_no           count  its entry
    made_at            text   when, UTC
    owner              text   the run when it was scored, as run:CONDITION/ID
    profile_id         text   scoring profile
    input_sha256       text   hash of what the numbers followed from: the run, its condition, its corpus
    profile_sha256     text   hash of the profile's values
    definition_sha256  text   hash of all published views of the task
    n_value            count  numbers
    result_sha256      text   hash over them
    all_sha256         text   hash over those of subset all, which ledger.past_score keeps
    tdtsql_version     text   program that computed it
    duckdb_version     text   engine that computed it
edges:    Also those that later ones replaced, and those of dropped runs. Of a number that entries of a forged ledger
          give twice, the last.
class:    exact
see also: ledger.past_score, ledger.current_computation
*/
with

said as (
    select
        entry_no, made_at, subject, detail,
        cast(json_extract_string(detail, '$.computation_no') as bigint) as computation_no
    from ledger.entry
    where kind = 'compute'
),

newest as (
    select computation_no, max(entry_no) as entry_no
    from said
    group by computation_no
)

select
    computation_no, entry_no, made_at, subject as owner,
    json_extract_string(detail, '$.profile') as profile_id,
    json_extract_string(detail, '$.input_sha256') as input_sha256,
    json_extract_string(detail, '$.profile_sha256') as profile_sha256,
    json_extract_string(detail, '$.definition_sha256') as definition_sha256,
    cast(json_extract_string(detail, '$.n_value') as bigint) as n_value,
    json_extract_string(detail, '$.result_sha256') as result_sha256,
    json_extract_string(detail, '$.all_sha256') as all_sha256,
    json_extract_string(detail, '$.tdtsql') as tdtsql_version,
    json_extract_string(detail, '$.duckdb') as duckdb_version
from newest
join said using (computation_no, entry_no)
