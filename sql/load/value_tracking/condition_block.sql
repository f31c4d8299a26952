/*
what:   The blocks of a condition.
*/
insert into base.block (condition_no, block_no, block_id, is_scored)
select distinct $condition, block_no, event_id || '/' || attribute, 1
from vt_value
order by block_no
