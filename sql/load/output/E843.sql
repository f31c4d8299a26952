/*
what:   no record of a source file of the test set
advice: Add at least one record of it.
*/
select 0 as file, null as line, source as value
from tested_source
anti join output_source using (source)
where not exists (select 1 from answer where pointer_type = 'docno')
order by first_story_no
