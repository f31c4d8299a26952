/*
what:   repeated update id; the last row counts{many}
advice: Give each update once.
*/
select file, min(line) as line, arg_min(update_id, line) as value,
    if(count(*) = 1, '', '; ' || count(*) || ' such rows') as many
from (
    select *,
        row_number() over (
            partition by file, update_id,
                if($program = 'ts2015', regexp_replace(event_id, '^TS[0-9]+\.', ''), event_id)
            order by line) as nth
    from read_updates
    where invalid = 0)
where nth > 1
group by file
