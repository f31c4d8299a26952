/*
what:   event {event_id} has no {name} in whole seconds
advice: Give it a <{name}>, seconds since 1970.
*/
select 0 as file, null as line, said as value, event_id, name
from (
    select event_no, event_id, 'start' as name, start_text as said from read_topic_event where is_new and start is null
    union all
    select event_no, event_id, 'end', end_text from read_topic_event where is_new and "end" is null)
order by event_no, name desc
