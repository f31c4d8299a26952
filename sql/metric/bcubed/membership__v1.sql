/*
title:    Memberships of stories in reference topics and in system topics
formula:  reference: the scored target trials; response: the scored trials the system said yes to
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, figure 2 (delta_ref and delta_sys)
inputs:   base.tracking_label__v1, base.tracking_decision__v1, registry.run, registry.condition
grain:    run_no, profile_no, story_no, block_no, is_response
columns:
    run_no       key  run
    profile_no   key  scoring profile
    story_no     key  story
    block_no     key  topic
    is_response  key  1: the system puts the story in the topic; 0: the reference does
edges:    A pair that is not scored (training, brief, outside the test set) is on
          neither side.
          Of the decisions only the yes are here, so that it is read once and kept
          small: cell__v1 and overlap_membership__v1 both start from it.
class:    exact
see also: cell__v1
*/
select
    run.run_no as run_no,
    label.profile_no as profile_no,
    label.trial_no as story_no,
    label.block_no as block_no,
    0 as is_response
from base.tracking_label__v1 as label
inner join registry.condition as condition
    on condition.condition_no = label.condition_no
inner join registry.run as run
    on run.condition_no = label.condition_no
where condition.task = 'tracking'
    and label.segment_no > 0
    and label.is_target = 1
    and label.is_scored = 1
union all
select
    decision.run_no as run_no,
    decision.profile_no as profile_no,
    decision.trial_no as story_no,
    decision.block_no as block_no,
    1 as is_response
from base.tracking_decision__v1 as decision
inner join registry.condition as condition
    on condition.condition_no = decision.condition_no
where condition.task = 'tracking'
    and decision.is_yes = 1
