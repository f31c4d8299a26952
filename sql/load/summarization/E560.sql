/*
what:   event {event} is not in the nuggets file{more}
advice: {advised}
*/
-- W560 where the profile's program passes over such rows
select file, min(line) as line, if($program is null, event_id, null) as value, event_id as event,
    if($program is null, ' (' || n || ')', ': ' || n || ' left out, as the ' || $program || ' program does') as more,
    if($program is null, 'Fix the event id, or drop the rows.', '') as advised,
    if($program is null, 'E560', 'W560') as code
from (
    select *, count(*) over (partition by file, event_id) as n_row, if(n_row = 1, '1 row', n_row || ' rows') as n
    from run_row
    where block_no is null)
group by file, event_id, n
