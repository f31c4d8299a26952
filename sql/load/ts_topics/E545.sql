/*
what:   duplicate event
advice: Drop one of them.
*/
select 0 as file, null as line, event_id as value
from read_topic_event
where event_id <> '' and event_no > first_no
order by event_no
