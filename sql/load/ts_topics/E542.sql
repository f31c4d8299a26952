/*
what:   event number {event_no} has no id
advice: Give it an <id>.
*/
select 0 as file, null as line, null as value, event_no
from read_topic_event
where event_id = ''
order by event_no
