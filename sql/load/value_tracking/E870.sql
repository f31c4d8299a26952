/*
what:   {none} among the attributes with a true value, of which one is {example!r}
advice: Write the ids as the condition does, or name the condition of this run.
*/
-- runs without an attribute of the condition
select first_row.file, first_row.line, first_row.value, example,
    if(n = 1, 'the only one of the values of the run is not', format('none of the {:,} values of the run is', n))
        as none, shown as run
from (
    select run_no, count(*) as n, min({'file': file, 'line': line, 'value': event_id || '/' || attribute}) as first_row
    from vt_row
    group by run_no
    having count(block_no) = 0
)
join new_run using (run_no)
cross join (
    select event_id || '/' || attribute as example
    from base.attribute
    where condition_no = $condition
    order by block_no
    limit 1
)
order by run_no
