/*
what: The hashes of the texts of items that files give.
*/
update base.item set content = said.content.least
from (
    select block_no, content
    from items_once
    join base.block on block_id = item_id and condition_no = $condition
    where content.least is not null
) as said
where
    item.condition_no = $condition
    and item.block_no = said.block_no
    and item.content is distinct from said.content.least
