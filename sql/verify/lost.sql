/*
title:  Computations that were made and are no longer in the store, of runs that were not dropped after it; with
        has_past without those that ledger.past_score has
*/
select
    format(
        'ledger.entry {} says that computation {} ({}) was made; it is not in the store.', entry_no,
        coalesce(cast(computation_no as varchar), 'None'), owner
    ) as message
from ledger.computation_made as made
anti join ledger.computation using (computation_no)
where not ($has_past and exists (from ledger.past_score where past_score.computation_no = made.computation_no))
    and not exists (
        from ledger.entry as dropped
        where kind = 'drop' and subject = made.owner and dropped.entry_no > made.entry_no
    )
order by computation_no
