/*
what:   {n:,} {pairs} with a story of an excluded source file
advice: Not scored.
*/
select file, line, id_1 || ' ' || id_2 as value, count(*) over () as n, if(n = 1, 'pair', 'pairs') as pairs
from link_pair
where exists (
    select 1 from base.story join base.source_file using (corpus_no, source_file_no)
    where corpus_no = $corpus and is_excluded = 1 and story_no in (story_no_1, story_no_2))
qualify row_number() over (order by trial_no) = 1
