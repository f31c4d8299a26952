/*
what: The items that files name (`items_once`) and that the condition does not have, numbered by their names.
*/
create or replace temp table items_added as
select
    item_id, weight, nullif(content.least, '') as content,
    cast(row_number() over (order by item_id) + coalesce((
        select max(block_no) from base.block where condition_no = $condition), 0) as integer) as block_no
from items_once
where item_id not in (select block_id from base.block where condition_no = $condition);

insert into base.block (condition_no, block_no, block_id, is_scored)
select $condition, block_no, item_id, 1 from items_added order by block_no;

insert into base.item (condition_no, block_no, is_listed, weight, content)
select $condition, block_no, $is_listed, weight, content from items_added order by block_no
