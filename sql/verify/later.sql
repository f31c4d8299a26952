/*
title:  Entries after a head, with the tables that were written again and why a run was withdrawn; computations last
*/
select
    format('entry {}: {} {}', entry_no, kind, subject) || case kind
        when 'content' then format(' ({})', array_to_string(list_sort(coalesce(
            nullif(json_keys(detail, '$.tables'), []), json_keys(detail, '$.profiles'), []
        )), ', '))
        when 'withdraw' then format(' ({})', json_extract_string(detail, '$.reason'))
        else ''
    end as line
from ledger.entry
where entry_no > $at
order by kind in ('compute', 'distribute'), entry_no
