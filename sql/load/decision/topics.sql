/*
what:   Decisions on stories for topics, with the numbers of their condition; `unknown` says what it does not have.
*/
create or replace temp table decided as
-- block_no is NULL for topics that the condition leaves out
with topic as (
    select block_id as topic_id, block_no from base.block where condition_no = $condition
    union
    select topic_id, null
    from (
        select topic_id from base.topic where corpus_no = $corpus
        union all
        select topic_id from registry.excluded_topic where condition_no = $condition)
    where topic_id not in (select block_id from base.block where condition_no = $condition)
),

story as (
    select story_id, story_no from base.story where corpus_no = $corpus
),

numbered as (
    select decision_row.*, block_no, story_no as trial_no,
        case when $unlisted = 'not_relevant' and story_no is null and is_yes then story_id end as document,
        case when topic.topic_id is null then 'topics' when block_no is null then 'left out'
            when story_no is null and document is null then 'stories' end as unknown
    from decision_row
    left join topic using (topic_id)
    left join story using (story_id)
)

select file, line, run_id, is_yes, score, block_no, trial_no, document, unknown,
    case when unknown = 'stories' then story_id when unknown is not null then topic_id end as unknown_id
from numbered
