/*
what:   repeated nugget id; the last row counts{many}
advice: Give each nugget once.
*/
select file, min(line) as line, arg_min(nugget_id, line) as value,
    if(count(*) = 1, '', '; ' || count(*) || ' such rows') as many
from (
    select *,
        row_number() over (
            partition by file, nugget_id,
                if($program = 'ts2015', regexp_replace(event_id, '^TS[0-9]+\.', ''), event_id)
            order by line) as nth
    from read_nuggets
    where invalid = 0)
where nth > 1
group by file
