/*
title:  Computations that were made and are no longer in the store, of runs that were not dropped after it; with
        has_past without those that ledger.past_score has
*/
select
    format(
        'ledger.entry {} says that computation {} ({}) was made; it is not in the store.', entry_no, computation_no,
        owner
    ) as message
from ledger.computation_made as made
where computation_no not in (select computation_no from ledger.computation)
    and not ($has_past and computation_no in (select computation_no from ledger.past_score))
    and not exists (
        from ledger.entry as dropped
        where kind = 'drop' and subject = made.owner and dropped.entry_no > made.entry_no
    )
order by computation_no
