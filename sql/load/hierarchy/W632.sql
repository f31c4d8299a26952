/*
what:   the story is not news and is not counted
advice: It is left out of its lists.
*/
select 0 as file, line, at_column, story_id as value
from xml_story
where corpus_story_no > 0 and story_no = 0 and not is_news
order by story
