/*
title:    Where stories are in their source files, for files of a run that point into these
*/
select
    story_id, regexp_extract(source_file, '([^/.]*)(\.[^/]*)?$', 1) as source_file, begin_recid, end_recid, begin_sec,
    end_sec
from base.story
join base.source_file using (corpus_no, source_file_no)
join registry.condition using (corpus_no)
join registry.run using (condition_no)
where 'run:' || condition_id || '/' || run_id = $owner and story_id in (select unnest($stories))
