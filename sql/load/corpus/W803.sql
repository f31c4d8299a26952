/*
what:   a judgment on a story outside the loaded files
advice: It has no effect.
*/
select file, line, story_id as value
from corpus_judgment
where story_no is null and (not exists (select 1 from corpus_story)
    or judgment_set in (select judgment_set from corpus_judgment where story_no is not null))
order by place
