/*
title:    Labelled and training stories of tracking and filtering, per profile
formula:  label in the condition's on-topic labels -> target
          label brief (not on topic)               -> not scored: brief
          label no (not on topic)                  -> judged_no of the profile: non-target, or not scored: judged_no
          training story of the topic              -> training of the profile: not scored: training, or as its label
          says
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
-- said once for a condition and profile, not once for a story
with policy as (
    select
        condition_no, profile_no, case when has_word(on_topic, 'yes') then 1 else 0 end as yes_is_target,
        case when has_word(on_topic, 'brief') then 1 else 0 end as brief_is_target,
        case when has_word(on_topic, 'no') then 1 else 0 end as no_is_target,
        case when training = 'excluded' then 1 else 0 end as excludes_training,
        case when judged_no = 'excluded' then 1 else 0 end as excludes_no
    from registry.condition join registry.condition_profile using (condition_no)
    join registry.profile using (profile_no)
),

label as (
    select
        condition_no, profile_no, block_no, story_no, segment_no, is_implied,
        case label
            when 'yes' then yes_is_target when 'brief' then brief_is_target when 'no' then no_is_target else 0
        end as is_target,
        case
            when is_training = 1 and excludes_training = 1 then 'training'
            when label = 'brief' and brief_is_target = 0 then 'brief'
            when label = 'no' and no_is_target = 0 and excludes_no = 1 then 'judged_no'
        end as exclusion_reason
    from base.labelled_story join policy using (condition_no)
)

select
    condition_no, profile_no, block_no, story_no as trial_no, segment_no, is_implied, is_target,
    case when exclusion_reason is null then 1 else 0 end as is_scored, exclusion_reason
from label
