/*
title:  Earlier computations whose stored numbers are not those that were computed
*/
with

other as (
    select computation_no, owner, entry_no
    from ledger.computation_made left join subset_all using (computation_no)
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
