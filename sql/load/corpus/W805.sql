/*
what:   a judgment on a topic that the topics file does not have
advice: The topic is evaluated. To exclude it, use topic_pattern.
*/
with judged as (
    select topic_id, min(place) as place, arg_min(file, place) as file, arg_min(line, place) as line
    from corpus_judgment where judgment_set = 1 group by topic_id
)

select file, line, topic_id as value
from judged
where $has_topics and topic_id not in (select topic_id from topic_row)
    and (not exists (select 1 from topic_row) or exists (select 1 from judged semi join topic_row using (topic_id)))
order by place
