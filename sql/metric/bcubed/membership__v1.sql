/*
title:    Memberships of stories in reference topics and in system topics
formula:  reference: the scored target trials; response: the scored trials the system said yes to
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, figure 2 (delta_ref and delta_sys)
inputs:   base.listed_trial__v1, base.implied_decision__v1, base.listed_decision__v1, registry.run, registry.condition
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
    listed.profile_no as profile_no,
    listed.trial_no as story_no,
    listed.block_no as block_no,
    0 as is_response
from base.listed_trial__v1 as listed
inner join registry.condition as condition
    on condition.condition_no = listed.condition_no
inner join registry.run as run
    on run.condition_no = listed.condition_no
where condition.task = 'tracking'
    and listed.is_target = 1
    and listed.is_scored = 1
union all
select
    implied.run_no as run_no,
    implied.profile_no as profile_no,
    implied.trial_no as story_no,
    implied.block_no as block_no,
    1 as is_response
from base.implied_decision__v1 as implied
inner join registry.run as run
    on run.run_no = implied.run_no
inner join registry.condition as condition
    on condition.condition_no = run.condition_no
where condition.task = 'tracking'
    and implied.is_yes = 1
union all
select
    listed.run_no as run_no,
    listed.profile_no as profile_no,
    listed.trial_no as story_no,
    listed.block_no as block_no,
    1 as is_response
from base.listed_decision__v1 as listed
inner join registry.run as run
    on run.run_no = listed.run_no
inner join registry.condition as condition
    on condition.condition_no = run.condition_no
where condition.task = 'tracking'
    and listed.is_yes = 1
