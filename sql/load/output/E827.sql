/*
what:   no record of a source file that the topic's index lists
advice: Add at least one record of it.
*/
select file, answer.line, source as value
from answer
join tested_source using (block_no)
anti join output_source using (file, source)
where has_records and source <> ''
order by file, first_story_no
