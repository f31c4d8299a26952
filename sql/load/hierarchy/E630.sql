/*
what:   the corpus has no story of this id
advice: Correct the id, or drop the story.
*/
select 0 as file, line, at_column, story_id as value
from xml_story
where corpus_story_no = 0
order by story
