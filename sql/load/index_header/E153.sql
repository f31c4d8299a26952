/*
what:   {said}
advice: {advised}
*/
select file, line, if(topic_no is null, 1, starts[topic_no] + 6) as at_column, coalesce(topic_said, whole) as value,
    if(topic_no is null, format('header has no topic, expected ''{}''', expected),
        'topic is not a number, expected Topic=NUMBER') as said,
    if(topic_no is null, 'Add Topic=NUMBER.', 'Correct the header.') as advised
from header
where is_own and $of_topics and not is_topic
