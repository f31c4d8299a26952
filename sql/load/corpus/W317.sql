/*
what:   the span of {unit} is {how}, from {first} to {value}
advice: No pointer can fall into it.
field:  {field}
*/
select file, line, cast(end_recid as varchar) as value, 'recids' as unit, 'reversed' as how,
    cast(begin_recid as varchar) as first, 'end_recid' as field
from read_stories where end_recid < begin_recid
union all
select file, line, cast(end_sec as varchar), 'seconds', if(end_sec = begin_sec, 'empty', 'reversed'),
    cast(begin_sec as varchar), 'end_sec'
from read_stories where end_sec <= begin_sec
