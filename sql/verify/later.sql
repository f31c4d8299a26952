/*
title:  Entries after a head, with the tables that were written again and why a run was withdrawn; computations last
*/
with

later as (
    select entry_no, kind, subject, if(json_valid(detail), detail, '{}') as detail
    from ledger.entry
    where entry_no > $at
)

select
    format('entry {}: {} {}', entry_no, kind, subject) || case kind
        when 'content' then format(' ({})', array_to_string(list_sort(coalesce(
            nullif(json_keys(detail, '$.tables'), []), json_keys(detail, '$.profiles'), []
        )), ', '))
        when 'withdraw' then format(' ({})', coalesce(json_extract_string(detail, '$.reason'), 'None'))
        else ''
    end as line
from later
order by kind in ('compute', 'distribute'), entry_no
