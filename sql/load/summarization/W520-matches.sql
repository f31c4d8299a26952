/*
what:   event {event} has no nuggets; its matches are left out{many}
advice: Add its nuggets, unless the event is not judged.
*/
select arg_min(file, row_no) as file, arg_min(line, row_no) as line, null as value, event_id as event,
    if(count(*) = 1, '', '; ' || count(*) || ' such rows') as many
from ts_match_row
where block_no is null
group by event_id
