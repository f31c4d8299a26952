/*
what:   The true values of a condition, in time.
*/
insert into base.true_value (condition_no, block_no, true_no, true_time, number, latitude, longitude)
select $condition, block_no, true_no, true_time, number, latitude, longitude
from vt_value
order by block_no, true_no
