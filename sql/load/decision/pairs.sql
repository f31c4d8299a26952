/*
what:   Decisions on pairs of stories, with the numbers of those that are written as in the condition.
*/
with pair as (
    select trial_no, id_1 as story_id_1, id_2 as story_id_2 from base.link_pair where condition_no = $condition
)

select file, line, run_id, is_yes, score, 0 as block_no, trial_no, cast(null as varchar) as document,
    case when trial_no is null then 'pairs' end as unknown,
    case when trial_no is null then story_id_1 || ' ' || story_id_2 end as unknown_id, story_id_1, story_id_2
from decision_row
left join pair using (story_id_1, story_id_2)
