/*
what:   event {event_id} has an attribute that is not known; ignored
*/
select 0 as file, null as line, attribute as value, event_id
from topic_value
join (select event_no from read_topic_event where is_new and ("end" > start) is distinct from false) using (event_no)
where not list_contains(['deaths', 'injuries', 'displaced', 'financialimpact', 'locations'], attribute)
order by value_no
