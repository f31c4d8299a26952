/*
what:   topic is not a number, expected a topic id such as 55001
advice: Correct the header.
*/
select file, line, starts[list_position(fields, 'topic')] as at_column, topic_said as value
from header
where topic_said is not null and not is_topic
