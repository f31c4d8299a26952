/*
what:   a pair of a story that the corpus does not have
advice: Correct the id, or add the story's source file.
*/
select file, line, id as value
from (select file, line, trial_no, unnest([1, 2]) as side, unnest([id_1, id_2]) as id from link_pair)
join link_story using (id)
where story_no is null and exists (select 1 from link_story where story_no is not null)
order by trial_no, side
