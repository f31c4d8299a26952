/*
what:   Decisions on stories, all under one block, with the numbers of their corpus.
*/
create or replace temp table decided as
with story as (
    select story_id, story_no from base.story where corpus_no = $corpus
)

select file, line, run_id, is_yes, score, 0 as block_no, story_no as trial_no, cast(null as varchar) as document,
    case when story_no is null then 'stories' end as unknown, case when story_no is null then story_id end as unknown_id
from decision_row
left join story using (story_id)
