/*
title:    Decisions of new event and link on scored trials, which are listed one by one
source:   The 2004 TDT evaluation plan, sections 5.4 and 5.5
inputs:   base.decision, base.decision_rule__v1, base.listed_trial__v1
grain:    run_no, profile_no, block_no, trial_no
columns:
    run_no      key     run
    profile_no  key     scoring profile
    block_no    key     block (topic)
    trial_no    key     story, or number of the pair
    segment_no  count   segment the trial counts in
    is_target   flag    1: target trial
    is_yes      flag    1: accepted by the system, or by the profile from its score
    score       score   the system's confidence
class:    exact
volume:   decisions
see also: scored_decision__v1, tracking_decision__v1
*/
-- about no block: the story, or the pair, may be a trial of several
with decision as (select run_no, trial_no, is_yes as said_yes, score from base.decision where block_no = 0)

select
    run_no, profile_no, block_no, trial_no, segment_no, is_target,
    case when said_yes or score >= yes_from then 1 else 0 end as is_yes, score
from base.listed_trial__v1 join base.decision_rule__v1 using (condition_no, profile_no)
join decision using (run_no, trial_no)
where decision_block_no = 0 and is_scored = 1
