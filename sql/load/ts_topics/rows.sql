/*
what: The events of the topics file with number $file, and the true values of their attributes, among those that were
      read.
*/
insert into read_events by name
select $file as file, event_no as line, event_id, start, "end", title, kind
from read_topic_event
where is_new and "end" > start
order by event_no;

insert into read_true_values
select $file, event_no, event_id, attribute, time, if(longitude is null, number, null),
    if(longitude is null, null, number), longitude
from read_topic_value
where is_read and not is_off
order by value_no
