/*
what:   Blocks, items and clusters of the gold of a condition
*/
-- Numbers follow names, so that the same rows have the same numbers in any order and format.

insert into base.partition_document (condition_no, block_id, n_line)
select $condition, block_id, n_line from partition_document;

insert into base.partition_window (condition_no, block_id, first_day, last_day)
select $condition, block_id, first_day, last_day from partition_window;

insert into base.block (condition_no, block_no, block_id, is_scored)
select $condition, row_number() over (order by block_id), block_id, 1
from (select distinct block_id from partition_row);

create or replace temp table partition_named as
select
    file, line, place, block_no, item_id, cluster_id,
    cast(dense_rank() over (order by block_no, item_id) as integer) as item_no
from partition_row
join base.block using (block_id)
where condition_no = $condition;

insert into base.partition_item
with

item as (
    select item_no, any_value(block_no) as block_no, any_value(item_id) as item_id
    from partition_named
    group by item_no
),

story as (
    select story_id as item_id, story_no
    from base.story
    join registry.condition using (corpus_no)
    where condition_no = $condition
)

select $condition, item_no, block_no, item_id, coalesce(story_no, 0)
from item
left join story using (item_id)
order by item_no;

insert into base.partition_gold_cluster
select $condition, row_number() over (order by block_no, cluster_id), block_no, cluster_id
from (select distinct block_no, cluster_id from partition_named where cluster_id is not null);

create or replace temp table partition_numbered as
select 0 as run_no, file, line, place, partition_named.block_no, item_no, cluster_no
from partition_named
left join base.partition_gold_cluster as cluster
    on cluster.condition_no = $condition
    and cluster.block_no = partition_named.block_no
    and cluster.cluster_id = partition_named.cluster_id
