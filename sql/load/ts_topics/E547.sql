/*
what:   event {event_id}: a location is off the globe
advice: Latitudes go from -90 to 90, longitudes from -180 to 180.
*/
select 0 as file, null as line, number || ',' || longitude as value, event_id
from read_topic_value
where is_off
order by value_no
