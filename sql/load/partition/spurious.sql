/*
what:   The rows of runs whose items have no gold cluster, with the ids
*/
create or replace temp table partition_spurious as
select own.run_no, own.file, own.line, own.place, own.block_no, coalesce(extra_id, item_id) as item_id
from partition_numbered as own
left join (from base.partition_item where condition_no = $condition) as item using (item_no)
anti join (from base.partition_gold where condition_no = $condition) as gold using (item_no)
where cluster_no is not null
