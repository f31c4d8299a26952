/*
what:   the index is of topic {topic_id}, which the corpus neither lists nor judges
advice: Write the topic's id into the header; index numbers of topics (Topic=1) are not supported.
*/
select file, 1 as line, topic_id as value, topic_id
from index_topic
join base.topic using (topic_id)
where corpus_no = $corpus and title is null and languages is null
    and not exists (
        select 1 from base.judgment where judgment.corpus_no = $corpus and judgment.topic_no = topic.topic_no)
    and exists (select 1 from base.judgment where corpus_no = $corpus)
