/*
title:    Labelled and training stories of tracking and filtering, per profile
formula:  label in the condition's on-topic labels -> target
          label brief (not on topic)               -> not scored: brief
          label no (not on topic)                  -> judged_no of the profile: non-target, or not scored: judged_no
          training story of the topic              -> training of the profile: not scored: training, or as its label says
source:   The 2004 TDT evaluation plan, sections 3 and 5.2; TDT3eval v2.6, is_EvaluableTracking (profile tdt3eval)
inputs:   registry.condition, registry.condition_profile, registry.profile, base.block, base.judgment, base.training_story
grain:    condition_no, profile_no, block_no, trial_no
columns:
    condition_no      key    condition
    profile_no        key    scoring profile
    block_no          key    topic
    trial_no          key    story
    is_target         flag   1: on topic
    is_scored         flag   0: not a trial under this profile
    exclusion_reason  text   training, brief or judged_no; NULL when scored
edges:    A story that is a training story and judged counts as training first.
          A story with neither a judgment nor a training role is not here: it is
          a scored non-target.
class:    exact
see also: listed_trial__v1, detection_trial__v1
*/
with

judged as (

    select
        block.condition_no as condition_no,
        block.block_no as block_no,
        judgment.story_no as trial_no,
        case when ' ' || condition.on_topic || ' ' like '% ' || judgment.label || ' %' then 1 else 0 end as is_target,
        case when judgment.label = 'brief' then 1 else 0 end as is_brief,
        case when judgment.label = 'no' then 1 else 0 end as is_no
    from registry.condition as condition
    inner join base.block as block
        on block.condition_no = condition.condition_no
    inner join base.judgment as judgment
        on judgment.corpus_no = condition.corpus_no
        and judgment.judgment_set = condition.judgment_set
        and judgment.topic_no = block.topic_no
    where condition.task in ('tracking', 'filtering')

),

trained as (

    select
        training.condition_no as condition_no,
        training.block_no as block_no,
        training.story_no as trial_no,
        1 as is_training
    from base.training_story as training
    group by training.condition_no, training.block_no, training.story_no

),

-- a story is judged once for a topic in a judgment set
story_label as (

    select
        judged.condition_no as condition_no,
        judged.block_no as block_no,
        judged.trial_no as trial_no,
        judged.is_target as is_target,
        coalesce(trained.is_training, 0) as is_training,
        judged.is_brief as is_brief,
        judged.is_no as is_no
    from judged as judged
    left join trained as trained
        on trained.condition_no = judged.condition_no
        and trained.block_no = judged.block_no
        and trained.trial_no = judged.trial_no
    union all
    select
        trained.condition_no as condition_no,
        trained.block_no as block_no,
        trained.trial_no as trial_no,
        0 as is_target,
        trained.is_training as is_training,
        0 as is_brief,
        0 as is_no
    from trained as trained
    where not exists (
        select 1 as hit
        from judged as judged
        where judged.condition_no = trained.condition_no
            and judged.block_no = trained.block_no
            and judged.trial_no = trained.trial_no
    )

),

reason as (

    select
        story_label.condition_no as condition_no,
        chosen.profile_no as profile_no,
        story_label.block_no as block_no,
        story_label.trial_no as trial_no,
        story_label.is_target as is_target,
        case
            when story_label.is_training = 1 and profile.training = 'excluded' then 'training'
            when story_label.is_target = 1 then null
            when story_label.is_brief = 1 then 'brief'
            when story_label.is_no = 1 and profile.judged_no = 'excluded' then 'judged_no'
        end as exclusion_reason
    from story_label as story_label
    inner join registry.condition_profile as chosen
        on chosen.condition_no = story_label.condition_no
    inner join registry.profile as profile
        on profile.profile_no = chosen.profile_no

)

select
    reason.condition_no as condition_no,
    reason.profile_no as profile_no,
    reason.block_no as block_no,
    reason.trial_no as trial_no,
    reason.is_target as is_target,
    case when reason.exclusion_reason is null then 1 else 0 end as is_scored,
    reason.exclusion_reason as exclusion_reason
from reason as reason
