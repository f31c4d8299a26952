/*
what:   the story's span of {unit} is {state}, from {begins} to {ends}
advice: No pointer can fall into it.
*/
with span as (
    select file, line, place, at_column, docno, 'seconds' as unit, begin_sec as first, end_sec as last, 0 as one
    from read_boundary
    union all
    select file, line, place, at_column, docno, 'recids', begin_recid, end_recid, 1
    from read_boundary
)

select file, line, at_column, docno as value, unit, if(last = first - one, 'empty', 'reversed') as state,
    format('{:.15g}', first) as begins, format('{:.15g}', last) as ends
from span
where last <= first - one
order by place, unit desc
