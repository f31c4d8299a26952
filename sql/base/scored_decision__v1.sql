/*
title:    Decisions on scored trials, with the truth beside them
source:   The 2004 TDT evaluation plan, section 5 (every task is a detection task)
inputs:   base.tracking_decision__v1, base.listed_decision__v1, base.tracking_label__v1
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
edges:    Decisions on stories outside the test set of the topic are no trials and
          not here. Trials without a decision are not here either: they are
          counted by subtraction from base.trial_count__v1.
class:    exact
volume:   decisions
see also: detection_trial__v1 (the definition; this is the part of it with a decision and is_scored = 1)
*/
with

-- few rows: a hash table of the targets
target as (

    select
        label.condition_no as condition_no,
        label.profile_no as profile_no,
        label.block_no as block_no,
        label.trial_no as trial_no,
        label.is_target as is_target
    from base.tracking_label__v1 as label
    where label.is_target = 1

)

select
    tracked.run_no as run_no,
    tracked.profile_no as profile_no,
    tracked.block_no as block_no,
    tracked.trial_no as trial_no,
    tracked.segment_no as segment_no,
    coalesce(target.is_target, 0) as is_target,
    tracked.is_yes as is_yes,
    tracked.score as score
from base.tracking_decision__v1 as tracked
left join target as target
    on target.condition_no = tracked.condition_no
    and target.profile_no = tracked.profile_no
    and target.block_no = tracked.block_no
    and target.trial_no = tracked.trial_no
union all
select
    listed.run_no as run_no,
    listed.profile_no as profile_no,
    listed.block_no as block_no,
    listed.trial_no as trial_no,
    listed.segment_no as segment_no,
    listed.is_target as is_target,
    listed.is_yes as is_yes,
    listed.score as score
from base.listed_decision__v1 as listed
