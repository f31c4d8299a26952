/*
what: What the rows of runs refer to by number, beside tables whose rows are only that: the blocks, and the true places
      from which distances of submitted ones are stored.
*/
select block_no, block_id as said
from base.block
where condition_no = $condition
union all
select block_no, concat_ws(' ', true_no, latitude, longitude)
from base.true_value
where condition_no = $condition and latitude is not null
order by all
