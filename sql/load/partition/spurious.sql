/*
what:   The rows of a run whose items have no gold cluster, with the ids
*/
select
    answer.file, answer.line, answer.place, answer.block_no,
    item.item_id
from partition_numbered as answer
join (
    select item_no, item_id from base.partition_extra_item where run_no = $run
    union all
    select item_no, item_id from base.partition_item where condition_no = $condition
) as item using (item_no)
where
    cluster_no is not null
    and item_no not in (select item_no from base.partition_gold where condition_no = $condition)
