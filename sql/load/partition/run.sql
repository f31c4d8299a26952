/*
what:   Blocks, items and clusters of runs: those that the gold does not have, and the numbers of their rows
*/
create or replace temp view run_member as
select run_no, partition_row.*
from partition_row
join new_run on new_run.run_id is not distinct from partition_row.run_id;

insert into base.partition_extra_block
with

known as (
    select block_no, block_id from base.block where condition_no = $condition
)

select
    run_no,
    (select coalesce(max(block_no), 0) from known) + row_number() over (partition by run_no order by block_id),
    block_id
from (select distinct run_no, block_id from run_member)
anti join known using (block_id)
order by all;

create or replace temp table partition_block as
select run_no, block_no, block_id from new_run cross join base.block where block.condition_no = $condition
union all
select run_no, block_no, block_id from base.partition_extra_block semi join new_run using (run_no);

insert into base.partition_cluster
select
    run_no, row_number() over (partition by run_no order by block_no, cluster_id) as number, block_no, cluster_id,
    if(cluster_id = nullif($noise_label, ''), 1, 0)
from (
    select distinct run_no, block_no, cluster_id
    from run_member
    join partition_block using (run_no, block_id)
    where cluster_id is not null
)
order by run_no, number;

create or replace temp table partition_numbered as
with

item as (
    select item_no, block_no, item_id from base.partition_item where condition_no = $condition
),

cluster as (
    select run_no, cluster_no, block_no, cluster_id from base.partition_cluster semi join new_run using (run_no)
)

select
    run_no, file, line, place, block_no, item_no, cluster_no,
    if(item_no is null, item_id, null) as extra_id
from run_member
join partition_block using (run_no, block_id)
left join item using (block_no, item_id)
left join cluster using (run_no, block_no, cluster_id);

insert into base.partition_extra_item
with

story as (
    select story_id as item_id, story_no
    from base.story
    join registry.condition using (corpus_no)
    where condition_no = $condition
)

select
    run_no,
    (select count(*) from base.partition_item where condition_no = $condition)
    + row_number() over (partition by run_no order by block_no, item_id) as number,
    block_no, item_id, coalesce(story_no, 0)
from (
    select distinct run_no, block_no, extra_id as item_id from partition_numbered where extra_id is not null
)
left join story using (item_id)
order by run_no, number;

update partition_numbered set item_no = extra.item_no
from (from base.partition_extra_item semi join new_run using (run_no)) as extra
where
    extra.run_no = partition_numbered.run_no
    and extra.block_no = partition_numbered.block_no
    and extra.item_id = partition_numbered.extra_id
