/*
what:   event {event_id} ends at or before its start
advice: Fix start or end.
*/
select file, line, start || ' to ' || "end" as value, event_id
from read_events
where "end" <= start and invalid = 0
