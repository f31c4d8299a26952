/*
what:   the story is in source file {source}, not in that before the colon
advice: Its docno counts.
*/
with odd as materialized (
    select id, other_file as source
    from link_story
    where other_file <> '' and story_source(id) <> '' and story_source(id) <> as_source(other_file)
)

select file, line, id as value, source
from (select file, line, trial_no, unnest([1, 2]) as side, unnest([id_1, id_2]) as id
    from link_pair where exists (select 1 from odd))
join odd using (id)
order by trial_no, side
