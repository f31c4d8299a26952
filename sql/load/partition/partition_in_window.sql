/*
what:   The rows in each window that has the day of their story
*/
select file, line, place, run_id, partition_window.block_id, item_id, cluster_id
from partition_row
join partition_story using (item_id)
join partition_window on day between first_day and last_day
