/*
title:    A decision is in the segment of its story, or of its trial where a key lists them
severity: error
inputs:   registry.run, base.decision, base.segment_story, base.verification_trial
*/
-- 0 for pairs, for stories that nothing scores and for documents that the corpus does not have.
-- A load that changes segments writes what is selected here into base.decision (tdtsql/load/decisions.py).
with

place as (
    select condition_no, story_no as trial_no, segment_no as place_no from base.segment_story
    union all
    select condition_no, trial_no, segment_no as place_no from base.verification_trial
)

select run_no, block_no, trial_no, coalesce(place_no, 0) as segment_no
from base.decision
join registry.run using (run_no)
left join place using (condition_no, trial_no)
where decision.segment_no <> coalesce(place_no, 0)
