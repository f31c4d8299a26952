/*
title:    Trials that something is known about: judged, trained on, or listed in a file
source:   The 2004 TDT evaluation plan, sections 5.2, 5.4 and 5.5
inputs:   base.tracking_label__v1, base.new_event_trial__v1, base.link_trial__v1, base.listed_pair, registry.condition, registry.condition_profile
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
edges:    A judged story outside the test set of its topic is no trial and not here;
          base.detection_trial__v1 says why.
          A pair that a trials file lists without a judgment is a scored non-target.
class:    exact
see also: detection_trial__v1
*/
with

label_hit as (

    select
        label.condition_no as condition_no,
        label.profile_no as profile_no,
        label.block_no as block_no,
        label.trial_no as trial_no,
        label.is_target as is_target,
        label.is_scored as is_scored,
        label.exclusion_reason as exclusion_reason,
        1 as hit
    from base.tracking_label__v1 as label

),

pair as (

    select
        listed.condition_no as condition_no,
        chosen.profile_no as profile_no,
        listed.block_no as block_no,
        listed.trial_no as trial_no,
        listed.segment_no as segment_no
    from base.listed_pair as listed
    inner join registry.condition as condition
        on condition.condition_no = listed.condition_no
    inner join registry.condition_profile as chosen
        on chosen.condition_no = listed.condition_no
    where condition.task in ('tracking', 'filtering')

)

select
    label.condition_no as condition_no,
    label.profile_no as profile_no,
    label.block_no as block_no,
    label.trial_no as trial_no,
    label.block_no as decision_block_no,
    label.segment_no as segment_no,
    label.is_implied as is_implied,
    label.is_target as is_target,
    label.is_scored as is_scored,
    label.exclusion_reason as exclusion_reason
from base.tracking_label__v1 as label
where label.is_implied = 1
union all
select
    pair.condition_no as condition_no,
    pair.profile_no as profile_no,
    pair.block_no as block_no,
    pair.trial_no as trial_no,
    pair.block_no as decision_block_no,
    pair.segment_no as segment_no,
    0 as is_implied,
    coalesce(label_hit.is_target, 0) as is_target,
    coalesce(label_hit.is_scored, 1) as is_scored,
    case when coalesce(label_hit.hit, 0) = 1 then label_hit.exclusion_reason end as exclusion_reason
from pair as pair
left join label_hit as label_hit
    on label_hit.condition_no = pair.condition_no
    and label_hit.profile_no = pair.profile_no
    and label_hit.block_no = pair.block_no
    and label_hit.trial_no = pair.trial_no
union all
select
    first_story.condition_no as condition_no,
    first_story.profile_no as profile_no,
    first_story.block_no as block_no,
    first_story.trial_no as trial_no,
    0 as decision_block_no,
    first_story.segment_no as segment_no,
    0 as is_implied,
    first_story.is_target as is_target,
    first_story.is_scored as is_scored,
    first_story.exclusion_reason as exclusion_reason
from base.new_event_trial__v1 as first_story
union all
select
    link.condition_no as condition_no,
    link.profile_no as profile_no,
    link.block_no as block_no,
    link.trial_no as trial_no,
    0 as decision_block_no,
    link.segment_no as segment_no,
    0 as is_implied,
    link.is_target as is_target,
    link.is_scored as is_scored,
    link.exclusion_reason as exclusion_reason
from base.link_trial__v1 as link
