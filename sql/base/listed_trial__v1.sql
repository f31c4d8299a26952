/*
title:    Trials that something is known about: judged, trained on, or listed in a file
source:   The 2004 TDT evaluation plan, sections 5.2, 5.4 and 5.5
inputs:   base.tracking_label__v1, base.new_event_trial__v1, base.link_trial__v1, base.listed_pair, registry.condition,
          registry.condition_profile, registry.task
grain:    condition_no, profile_no, block_no, trial_no
columns:
    condition_no       key    condition
    profile_no         key    scoring profile
    block_no           key    block (topic)
    trial_no           key    story, or number of the pair
    decision_block_no  count  block_no under which base.decision holds the decision
    segment_no         count  segment the trial counts in
    is_implied         flag   1: one of the stories of a test segment, of which the others are scored non-targets
    is_target          flag   1: target trial
    is_scored          flag   0: not a trial under this profile
    exclusion_reason   text   why not; NULL when scored
edges:    A judged story outside the test set of its topic is not a trial and is missing here;
          base.detection_trial__v1 says why.
          A pair that a trials file lists without a judgment is a scored non-target.
class:    exact
see also: detection_trial__v1
*/
select
    condition_no, profile_no, block_no, trial_no, block_no as decision_block_no, segment_no, is_implied, is_target,
    is_scored, exclusion_reason
from base.tracking_label__v1 where is_implied = 1
union all
select
    condition_no, profile_no, block_no, trial_no, block_no as decision_block_no, listed.segment_no, 0 as is_implied,
    coalesce(label.is_target, 0) as is_target, coalesce(label.is_scored, 1) as is_scored, exclusion_reason
from base.listed_pair as listed join registry.condition using (condition_no) join registry.task using (task)
join registry.condition_profile using (condition_no)
left join base.tracking_label__v1 as label using (condition_no, profile_no, block_no, trial_no)
where decides_on = 'topic'
union all
select
    condition_no, profile_no, block_no, trial_no, 0 as decision_block_no, segment_no, 0 as is_implied, is_target,
    is_scored, exclusion_reason
from base.new_event_trial__v1
union all
select
    condition_no, profile_no, block_no, trial_no, 0 as decision_block_no, segment_no, 0 as is_implied, is_target,
    is_scored, exclusion_reason
from base.link_trial__v1
