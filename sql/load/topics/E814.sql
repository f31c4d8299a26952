/*
what:   a trial of a topic that the corpus does not have
advice: Add the topic to the topics or the judgments.
*/
select file, line, topic_id as value
from tested_pair
where story_no is not null and not is_topic and (exists (select 1 from tested_pair where is_topic)
    or not exists (select 1 from base.topic where corpus_no = $corpus))
