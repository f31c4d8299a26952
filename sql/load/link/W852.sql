/*
what:   the story is in source file {source}, not in that before the colon
advice: Its docno counts.
*/
select file, line, id as value, other_file as source
from (select file, line, trial_no, unnest([1, 2]) as side, unnest([id_1, id_2]) as id from link_pair)
join link_story using (id)
where story_source(id) <> '' and other_file <> '' and story_source(id) <> as_source(other_file)
order by trial_no, side
