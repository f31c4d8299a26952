/*
what: The items with several rows, of which there are few, by a hash.
*/
create or replace temp table partition_repeated as
select run_id, hash(block_id, item_id) as item_hash
from partition_row
where cluster_id is not null
group by run_id, item_hash
having count(*) > 1
