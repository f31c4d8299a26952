/*
what:   not a position, expected a number of 0 or more
advice: Correct the number.
field:  {number}
*/
select file, line, begin_said as value, 1 as number
from index_named
where is_wrong and not is_wide
union all
select file, line, said, number
from (select file, line, unnest([begin_said, end_said]) as said, unnest([3, 4]) as number from index_training)
where said <> '-1' and as_time_pointer(said) is null
order by number
