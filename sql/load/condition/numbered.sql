/*
what: The blocks of a condition, to which rows of runs refer by number, and the true places, to which runs have
      distances.
*/
select block_no, block_id as said
from base.block
where condition_no = $condition
union all
select block_no, concat_ws(' ', true_no, latitude, longitude)
from base.true_value
where condition_no = $condition and latitude is not null
order by all
