/*
what:   event {event_id} ends at or before its start
advice: Fix <start> or <end>.
*/
select 0 as file, null as line, start || ' to ' || "end" as value, event_id
from read_topic_event
where is_new and "end" <= start
order by event_no
