/*
what:   The nuggets of all events, numbered by id.
*/
select row_number() over (order by nugget_id, block_no) as nugget_no, nugget_id, block_no
from (select distinct nugget_id, block_no from ts_nugget_row)
