/*
what:   a training story of a topic that the corpus does not have
advice: Add the topic to the topics or the judgments.
*/
select file, line, topic_id as value
from training_row
where topic_id not in (select topic_id from base.topic where corpus_no = $corpus)
