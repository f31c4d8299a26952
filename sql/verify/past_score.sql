/*
title:  Earlier computations whose stored numbers are not those that were computed
*/
with

number as (
    select computation_no, metric, weighting, value, n, version, null_reason
    from ledger.result_score
    where subset_no = 0
    union all
    select computation_no, metric, weighting, value, n, version, null_reason
    from ledger.past_score
),

line as (
    select
        computation_no,
        concat_ws('|', metric, weighting, coalesce(cast(value as varchar), 'null'), n, version, null_reason) as line
    from number
    where computation_no in (select computation_no from ledger.computation_made)
),

present as (
    select computation_no, sha256(string_agg(line, chr(10) order by line)) as sha256
    from line
    group by computation_no
),

other as (
    select computation_no, owner, entry_no
    from ledger.computation_made left join present using (computation_no)
    where all_sha256 <> coalesce(sha256, '')
        and computation_no not in (select max(computation_no) from ledger.computation group by run_no, profile_no)
    union all
    select distinct computation_no, condition_id || '/' || run_id, 0
    from ledger.past_score
    where computation_no not in (select computation_no from ledger.computation_made)
)

select
    format(
        'computation {} ({}): its past numbers are not those of ledger.entry {} (ledger.past_score).', computation_no,
        owner, entry_no
    ) as message
from other
order by computation_no
