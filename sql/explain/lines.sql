/*
title:    Lines of the files of a corpus and its condition that speak of a block, and how many there are
*/
with line as (
    select owner, topic_id as block_id, path, line, 'judged ' || level || ': ' || docno as says from staging.on_topic
    union all
    select owner, topic_id, path, line, 'judged ' || label || ': ' || story_id from staging.tidy_judgment
    union all
    select owner, topic_id, path, line, 'grade ' || grade || ': ' || document_id from staging.qrel
    union all
    select owner, topic_id, path, line, 'training story ' || docno from staging.training_story
    union all
    select owner, topic_id, path, line, 'listed story ' || story_id from staging.tidy_pair
    union all
    select owner, block_id, path, line, lower(kind) || ': ' || story_id_1 || ' ' || story_id_2 from staging.link_key
    union all
    select owner, event, path, line, 'nugget ' || nugget || ', importance ' || importance from staging.nugget
    union all
    select owner, event, path, line, 'update ' || update_id || ' says nugget ' || nugget from staging.match
)

select path, line, says, count(*) over () as n_line
from line
where block_id = $block and owner in (
        select unnest(['condition:' || condition_id, 'corpus:' || corpus_id])
        from registry.condition
        join registry.corpus using (corpus_no)
        where condition_no = $condition_no
    )
order by path, line
limit $most
