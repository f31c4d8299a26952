/*
what: The attributes of a condition that have a true value (`vt_value`), its blocks, and their values in time.
*/
insert into base.attribute (condition_no, block_no, subset_no, event_id, attribute, start_time, end_time)
select distinct $condition, block_no, subset_no, event_id, attribute, start_time, end_time
from vt_value
order by block_no;

insert into base.block (condition_no, block_no, block_id, is_scored)
select distinct $condition, block_no, event_id || '/' || attribute, 1
from vt_value
order by block_no;

insert into base.subset (condition_no, subset_no, subset, kind)
select $condition, 0, 'all', 'all'
union all
select distinct $condition, subset_no, 'attribute=' || attribute, 'attribute'
from vt_value
order by 2;

insert into base.true_value (condition_no, block_no, true_no, true_time, number, latitude, longitude)
select $condition, block_no, true_no, true_time, number, latitude, longitude
from vt_value
order by block_no, true_no
