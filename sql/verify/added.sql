/*
title:  Tables to which commands add rows, and that had some at a head and have more now
*/
with

recorded as (
    select
        owner, name,
        max_by(row(n_row, sha256), entry_no) filter (entry_no <= $at and coalesce(until_no > $at, true)) as before,
        max_by(n_row, entry_no) filter (until_no is null) as n_now
    from ledger.content
    where list_contains($added, name)
    group by owner, name
)

select owner, name, before[1] as n_row, before[2] as sha256
from recorded
where before[1] > 0 and n_now > before[1]
order by owner, name
