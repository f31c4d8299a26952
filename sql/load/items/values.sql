/*
what: The attributes of items that files give (`items_value`) and that are not stored so, instead of what runs gave of
      them.
*/
create or replace temp table items_attribute as
select own.attribute, block.block_no, own.value
from items_value as own
join base.block on block_id = item_id and block.condition_no = $condition
left join base.item_attribute as known
    on known.condition_no = $condition and known.block_no = block.block_no and known.attribute = own.attribute
where
    own.value <> ''
    and coalesce(known.is_listed, 0) = 0
    and (known.value is distinct from own.value or $is_listed = 1);

delete from base.item_attribute
where
    condition_no = $condition
    and (attribute, block_no) in (select (attribute, block_no) from items_attribute);

insert into base.item_attribute (condition_no, block_no, attribute, value, is_listed)
select $condition, block_no, attribute, value, $is_listed from items_attribute order by attribute, block_no
