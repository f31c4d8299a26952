/*
title:    Labelled and training stories of tracking and filtering, per profile
formula:  label in the condition's on-topic labels -> target
          label brief (not on topic)               -> not scored: brief
          label no (not on topic)                  -> judged_no of the profile: non-target, or not scored: judged_no
          training story of the topic              -> training of the profile: not scored: training, or as its label says
source:   The 2004 TDT evaluation plan, sections 3 and 5.2; TDT3eval v2.6, is_EvaluableTracking (profile tdt3eval)
inputs:   registry.condition, registry.condition_profile, registry.profile, base.labelled_story
grain:    condition_no, profile_no, block_no, trial_no
columns:
    condition_no      key    condition
    profile_no        key    scoring profile
    block_no          key    topic
    trial_no          key    story
    segment_no        count  segment the trial counts in; 0: no trial of the topic
    is_implied        flag   1: one of the stories of a test segment; 0: listed in a file, or no trial
    is_target         flag   1: on topic
    is_scored         flag   0: not a trial under this profile
    exclusion_reason  text   training, brief or judged_no; NULL when scored
edges:    A story that is a training story and judged counts as training first.
          A story with neither a judgment nor a training role is not here: it is
          a scored non-target.
class:    exact
volume:   judgments
see also: listed_trial__v1, detection_trial__v1
*/
with

-- said once for a condition and profile, not once for a story
policy as (

    select
        condition.condition_no as condition_no,
        profile.profile_no as profile_no,
        case when ' ' || condition.on_topic || ' ' like '% yes %' then 1 else 0 end as yes_is_target,
        case when ' ' || condition.on_topic || ' ' like '% brief %' then 1 else 0 end as brief_is_target,
        case when ' ' || condition.on_topic || ' ' like '% no %' then 1 else 0 end as no_is_target,
        case when profile.training = 'excluded' then 1 else 0 end as excludes_training,
        case when profile.judged_no = 'excluded' then 1 else 0 end as excludes_no
    from registry.condition as condition
    inner join registry.condition_profile as chosen
        on chosen.condition_no = condition.condition_no
    inner join registry.profile as profile
        on profile.profile_no = chosen.profile_no

),

target as (

    select
        story.condition_no as condition_no,
        policy.profile_no as profile_no,
        story.block_no as block_no,
        story.story_no as trial_no,
        story.segment_no as segment_no,
        story.is_implied as is_implied,
        case
            when story.label = 'yes' then policy.yes_is_target
            when story.label = 'brief' then policy.brief_is_target
            when story.label = 'no' then policy.no_is_target
            else 0
        end as is_target,
        case
            when story.is_training = 1 and policy.excludes_training = 1 then 'training'
            when story.label = 'brief' and policy.brief_is_target = 0 then 'brief'
            when story.label = 'no' and policy.no_is_target = 0 and policy.excludes_no = 1 then 'judged_no'
        end as exclusion_reason
    from base.labelled_story as story
    inner join policy as policy
        on policy.condition_no = story.condition_no

)

select
    target.condition_no as condition_no,
    target.profile_no as profile_no,
    target.block_no as block_no,
    target.trial_no as trial_no,
    target.segment_no as segment_no,
    target.is_implied as is_implied,
    target.is_target as is_target,
    case when target.exclusion_reason is null then 1 else 0 end as is_scored,
    target.exclusion_reason as exclusion_reason
from target as target
