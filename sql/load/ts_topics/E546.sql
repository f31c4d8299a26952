/*
what:   event {event_id}: a value of {attribute} cannot be read
advice: Write a time and a number (latitude and longitude for locations).
*/
select 0 as file, null as line, said as value, event_id, attribute
from read_topic_value
where not is_read
order by value_no
