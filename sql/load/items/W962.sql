/*
what:   {n:,} {items} not in the file of items and left out
advice: Check the number.
*/
select file, line, value, n, if(n = 1, 'item is', 'items are') as items
from (
    select file, line, item_id as value, count(distinct item_id) over () as n
    from items_row
    where
        $unknown_item = 'ignore'
        and exists (select 1 from base.item where condition_no = $condition and is_listed = 1)
        and item_id not in (select block_id from base.block where condition_no = $condition)
)
qualify row_number() over (order by file, line) = 1
