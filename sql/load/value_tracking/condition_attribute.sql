/*
what:   The attributes of events, which are the blocks of a condition.
*/
insert into base.attribute (condition_no, block_no, subset_no, event_id, attribute, start_time, end_time)
select distinct $condition, block_no, subset_no, event_id, attribute, start_time, end_time
from vt_value
order by block_no
