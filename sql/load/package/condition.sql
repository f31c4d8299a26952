/*
what: The blocks of a condition of a task package, and its subsets: the values of their attributes.
*/
create or replace temp table block as
select block_id, if(list_contains($excluded, block_id), null,
    cast(row_number() over (partition by list_contains($excluded, block_id) order by block_id) as integer)) as block_no
from package_block;

insert into base.block (condition_no, block_no, block_id, is_scored)
select $condition, block_no, block_id, 1 from block where block_no is not null order by block_no;

create or replace temp table package_subset as
select attribute || '=' || value as subset, block_no
from package_attribute
join block using (block_id)
where value is not null and block_no is not null and attribute in (
    select attribute from package_attribute group by attribute having count(distinct value) <= $most);

insert into base.subset (condition_no, subset_no, kind, subset)
select $condition, 0, 'all', 'all'
union all
select $condition, row_number() over (order by subset), 'attribute', subset
from (select distinct subset from package_subset)
order by 2;

insert into base.subset_cell (condition_no, subset_no, block_no, segment_no)
select $condition, subset_no, own.block_no, 0
from package_subset as own
join (select subset_no, subset from base.subset where condition_no = $condition) using (subset)
order by subset_no, block_no
