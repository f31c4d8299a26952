/*
what:   the file of items does not have this item
advice: Correct the id, add the item, or unknown_item = "ignore" of the condition.
most:   20
*/
select file, line, item_id as value
from items_row
where
    $unknown_item is distinct from 'ignore'
    and exists (select 1 from base.item where condition_no = $condition and is_listed = 1)
    and item_id not in (select block_id from base.block where condition_no = $condition)
qualify row_number() over (partition by item_id order by file, line) = 1
