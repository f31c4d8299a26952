/*
title:    Decisions on scored trials, with their labels
source:   The 2004 TDT evaluation plan, section 5 (every task is a detection task)
inputs:   base.tracking_decision__v1, base.listed_decision__v1, base.keyed_decision__v1, base.tracking_label__v1
grain:    run_no, profile_no, block_no, trial_no
columns:
    run_no      key     run
    profile_no  key     scoring profile
    block_no    key     block (topic)
    trial_no    key     story, or number of the pair
    segment_no  count   segment the trial counts in
    is_target   flag    1: target trial
    is_yes      flag    1: accepted by the system
    score       score   the system's confidence
edges:    Decisions on stories outside the test set of the topic are no trials and
          not here. Trials without a decision are not here either: they are
          counted by subtraction from base.trial_count__v1.
class:    exact
volume:   decisions
see also: detection_trial__v1 (the definition; this is the part of it with a decision and is_scored = 1)
*/
-- few rows: a hash table of the targets
with target as (
    select condition_no, profile_no, block_no, trial_no, is_target from base.tracking_label__v1 where is_target = 1
)

select run_no, profile_no, block_no, trial_no, segment_no, coalesce(target.is_target, 0) as is_target, is_yes, score
from base.tracking_decision__v1
left join target using (condition_no, profile_no, block_no, trial_no)
union all
select run_no, profile_no, block_no, trial_no, segment_no, is_target, is_yes, score from base.listed_decision__v1
union all
select run_no, profile_no, block_no, trial_no, segment_no, is_target, is_yes, score from base.keyed_decision__v1
