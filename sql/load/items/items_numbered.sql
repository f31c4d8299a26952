/*
what: The samples of runs with the numbers of their measures and items, in this order.
*/
select
    said.file, line, run_place, measure_no, block_no,
    cast(if($repeated_item = 'epoch', row_number() over sample, epoch) as integer) as epoch,
    score, is_error, score is not null and not ($error_item = 'missing' and is_error = 1) as is_scored
from items_row as said
join items_run on items_run.run_id is not distinct from said.run_id
join (select measure_no, measure from base.item_measure where condition_no = $condition) using (measure)
join (select block_no, block_id as item_id from base.block where condition_no = $condition) using (item_id)
window sample as (partition by run_place, measure_no, block_no order by said.file, line)
order by run_place, measure_no, block_no, epoch
