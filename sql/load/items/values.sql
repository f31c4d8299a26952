/*
what: The attributes of items that files give (`item_value`), instead of what runs gave of them; hashes of texts.
*/
create or replace temp table items_attribute as
select attribute, block_no, min(value) as value
from item_value
join base.block on block_id = item_id and condition_no = $condition
where
    value <> ''
    and (attribute, block_no) not in (
        select (attribute, block_no) from base.item_attribute where condition_no = $condition and is_listed = 1)
group by attribute, block_no;

delete from base.item_attribute
where
    condition_no = $condition
    and (attribute, block_no) in (select (attribute, block_no) from items_attribute);

insert into base.item_attribute (condition_no, block_no, attribute, value, is_listed)
select $condition, block_no, attribute, value, $is_listed from items_attribute order by attribute, block_no;

update base.item set content = said.content
from (
    select block_no, min(content) as content
    from item_said
    join base.block on block_id = item_id and condition_no = $condition
    where content is not null
    group by block_no
) as said
where
    item.condition_no = $condition
    and item.block_no = said.block_no
    and item.content is distinct from said.content
