/*
what:   Events of a condition.
*/
insert into base.event (condition_no, block_no, event_id, title, kind, start_time, end_time, n_pool_row, n_match_row)
select $condition, block_no, event, title, kind, start_time, end_time, n_pool, n_match
from ts_event
order by block_no
