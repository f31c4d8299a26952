/*
title:    Decisions of new event and link on scored trials, which are listed one by one
source:   The 2004 TDT evaluation plan, sections 5.4 and 5.5
inputs:   base.decision, registry.run, base.listed_trial__v1
grain:    run_no, profile_no, block_no, trial_no
columns:
    run_no      key     run
    profile_no  key     scoring profile
    block_no    key     block (topic)
    trial_no    key     story, or number of the pair
    segment_no  count   segment the trial counts in
    is_target   flag    1: target trial
    is_yes      flag    1: the system said yes
    score       score   the system's confidence
class:    exact
volume:   decisions
see also: scored_decision__v1, tracking_decision__v1
*/
select
    decision.run_no, profile_no, listed.block_no, listed.trial_no, listed.segment_no, is_target,
    case when is_yes then 1 else 0 end as is_yes,
    score
from base.listed_trial__v1 as listed
join registry.run using (condition_no)
join base.decision
    on decision.run_no = run.run_no
    and decision.block_no = decision_block_no
    and decision.trial_no = listed.trial_no
where decision_block_no = 0
    and is_scored = 1
