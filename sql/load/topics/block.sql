/*
what:   The blocks of a condition over stories, and the training stories of its topics
*/
insert into base.block (condition_no, block_no, block_id, topic_no, first_test_story_no, is_scored)
select $condition, block_no, block_id, topic_no, first_test_story_no, 1
from topic_block
left join (select topic_id, topic_no from base.topic where corpus_no = $corpus) using (topic_id)
order by block_no;

insert into base.training_story (condition_no, block_no, story_no)
select $condition, block_no, story_no from topic_training join topic_block using (block_id) order by block_no, story_no
