/*
title:  The first judgment set of a corpus, then candidates that have no judgment yet as label no (is_added 1)
*/
with

judged as (
    select topic_id, story_id, label, topic_no, story_no
    from base.judgment
    join base.topic using (corpus_no, topic_no)
    join base.story using (corpus_no, story_no)
    where judgment_set = 1
        and corpus_no = $corpus
),

candidate as (
    select block_id, story_id, row_number() over (order by condition_id, profile_id, place) as row_no
    from report.adjudication
    where condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
        and block_id = coalesce($topic, block_id)
        and ($limit = 0 or place <= $limit)
)

select topic_id, story_id, label, is_added
from (
    select topic_id, story_id, label, 0 as is_added, row_number() over (order by topic_no, story_no) as row_no
    from judged
    union all
    select block_id, story_id, 'no', 1, min(row_no)
    from candidate
    where (block_id, story_id) not in (select (topic_id, story_id) from judged)
    group by block_id, story_id
)
order by is_added, row_no
