/*
what:   the story is in source file {source}, not in that before the colon
advice: Its docno counts.
*/
-- where the id of the index has the wrong source file, that of the corpus counts
-- few are written in another way than in the index: only these are looked at closely
with odd as materialized (
    select file, line, story_id_1, story_id_2, id_1, id_2, story_no_1, story_no_2
    from decided
    join (select * from base.link_pair where condition_no = $condition) using (trial_no)
    where unknown is null and (story_id_1 <> id_1 or story_id_2 <> id_2)
),

side as (
    select file, line, unnest([1, 2]) as side, unnest([story_id_1, story_id_2]) as own, unnest([id_1, id_2]) as wanted,
        unnest([story_no_1, story_no_2]) as story_no
    from odd
),

named as (
    select file, line, side, own, source_file,
        story_source(own) as own_source, story_source(wanted) as wanted_source
    from side
    left join (select story_no, source_file from base.story left join base.source_file using (corpus_no, source_file_no)
        where corpus_no = $corpus) using (story_no)
    where own <> wanted
)

select file, line, own as value, coalesce(source_file, wanted_source) as source
from named
where own_source <> '' and wanted_source <> '' and own_source <> wanted_source
    and (source_file is null or own_source <> as_source(source_file))
order by file, line, side
