/*
what:   The stories of a corpus as items
*/
select
    story_id as item_id,
    coalesce(is_excluded, 0) = 1 as is_left_out,
    coalesce(substr(cast(published_at as varchar), 1, 10), '') as day
from base.story
left join base.source_file using (corpus_no, source_file_no)
where corpus_no = $corpus
