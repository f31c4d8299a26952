/*
what: The blocks, and the true places: rows of runs refer to them by number, and to other places distances would differ.
*/
select block_no, block_id as said
from base.block
where condition_no = $condition
union all
select block_no, concat_ws(' ', true_no, latitude, longitude)
from base.true_value
where condition_no = $condition and latitude is not null
order by all
