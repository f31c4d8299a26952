/*
what:   the story is outside the collection of this condition
advice: Drop the story, or name its source file in the index.
*/
select 0 as file, line, at_column, story_id as value
from xml_story
where corpus_story_no > 0 and story_no = 0 and is_news
order by story
