/*
what:   Blocks, items and clusters of a run: those that the gold does not have, and the numbers of its rows
*/
insert into base.partition_extra_block
with

known as (
    select block_no, block_id from base.block where condition_no = $condition
)

select
    $run,
    (select coalesce(max(block_no), 0) from known) + row_number() over (order by block_id),
    block_id
from (select distinct block_id from partition_row where run_id is not distinct from $run_id)
anti join known using (block_id);

create or replace temp table partition_block as
select block_no, block_id from base.block where condition_no = $condition
union all
select block_no, block_id from base.partition_extra_block where run_no = $run;

insert into base.partition_cluster
select
    $run, row_number() over (order by block_no, cluster_id), block_no, cluster_id,
    if(cluster_id = nullif($noise_label, ''), 1, 0)
from (
    select distinct block_no, cluster_id
    from partition_row
    join partition_block using (block_id)
    where cluster_id is not null and run_id is not distinct from $run_id
);

create or replace temp table partition_numbered as
with

item as (
    select item_no, block_no, item_id from base.partition_item where condition_no = $condition
),

cluster as (
    select cluster_no, block_no, cluster_id from base.partition_cluster where run_no = $run
)

select
    file, line, place, block_no, item_no, cluster_no,
    if(item_no is null, item_id, null) as extra_id
from partition_row
join partition_block using (block_id)
left join item using (block_no, item_id)
left join cluster using (block_no, cluster_id)
where run_id is not distinct from $run_id;

insert into base.partition_extra_item
with

story as (
    select story_id as item_id, story_no
    from base.story
    join registry.condition using (corpus_no)
    where condition_no = $condition
)

select
    $run,
    (select count(*) from base.partition_item where condition_no = $condition)
    + row_number() over (order by block_no, item_id),
    block_no, item_id, coalesce(story_no, 0)
from (
    select distinct block_no, extra_id as item_id from partition_numbered where extra_id is not null
)
left join story using (item_id);

update partition_numbered set item_no = extra.item_no
from base.partition_extra_item as extra
where
    extra.run_no = $run
    and extra.block_no = partition_numbered.block_no
    and extra.item_id = partition_numbered.extra_id
