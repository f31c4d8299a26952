/*
what:   a trial on a story that the corpus does not have
advice: Add the story to the stories file.
*/
select file, line, story_id as value
from tested_pair
where story_no is null and (exists (select 1 from tested_pair where story_no is not null)
    or not exists (select 1 from base.story where corpus_no = $corpus))
