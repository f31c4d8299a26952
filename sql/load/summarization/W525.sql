/*
what:   event {event} of the nuggets file is not in the topics file; it has no time-sensitive numbers
advice: Add the event to the topics file.
*/
select 0 as file, null as line, null as value, event
from ts_event
where not has_topic and exists (select 1 from read_events)
order by block_no
