/*
what:   a training story that the corpus does not have
advice: Add the story to the stories file.
*/
select file, line, story_id as value
from training_row
where topic_id in (select topic_id from base.topic where corpus_no = $corpus)
    and story_id not in (select story_id from base.story where corpus_no = $corpus)
