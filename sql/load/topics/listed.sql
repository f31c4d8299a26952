/*
what:   The pairs of topic and story that files list, with what the condition has of them
*/
create or replace temp table tested_pair as
select trial.*, topic.topic_id is not null as is_topic, block.block_no, block.first_test_story_no,
    story.* exclude (story_id)
from (select row_number() over (order by file, line) as row_no, file, line, topic_id, story_id from trial_row) as trial
left join condition_story as story on story.story_id = trial.story_id
left join (select topic_id from base.topic where corpus_no = $corpus) as topic on topic.topic_id = trial.topic_id
left join topic_block as block on block.block_id = trial.topic_id
