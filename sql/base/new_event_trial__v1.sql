/*
title:    New event detection: who is a first story, and who is not
formula:  L(s) = topics that news story s of the test set is on; F(t) = first such story of topic t
          s gives one trial for every t in L(s): target if s = F(t), else non-target
          new_event_rule = each_topic:    all of them are scored
          new_event_rule = mixed_dropped: not scored if s is the first of some topics in L(s), not of all
source:   The 2004 TDT evaluation plan, section 5.4; TDT3eval v2.6, CreateFSDKey (mixed_dropped)
inputs:   registry.condition, registry.condition_profile, registry.profile, base.block, base.judgment, base.segment_story
grain:    condition_no, profile_no, block_no, trial_no
columns:
    condition_no      key    condition
    profile_no        key    scoring profile
    block_no          key    topic
    trial_no          key    story
    segment_no        count  segment the story counts in
    is_target         flag   1: the first story of the topic
    is_scored         flag   0: not a trial under this profile
    exclusion_reason  text   brief, judged_no or mixed; NULL when scored
edges:    A story on no topic is no trial: false alarms are counted on stories that
          are on a topic and not its first, as nobody knows what is new otherwise.
          A story whose label is not on topic is not scored, is nobody's first
          story, and does not keep a later one from being it.
          A dropped story is still the first of its topic: no other story becomes it.
          First means lowest story_no: order of the source files, then of the stories in them.
class:    exact
see also: listed_trial__v1
*/
with

labelled as (

    select
        block.condition_no as condition_no,
        block.block_no as block_no,
        judgment.story_no as trial_no,
        member.segment_no as segment_no,
        max(case when ' ' || condition.on_topic || ' ' like '% ' || judgment.label || ' %' then 1 else 0 end) as is_on,
        max(case when judgment.label = 'brief' then 1 else 0 end) as is_brief
    from registry.condition as condition
    inner join base.block as block
        on block.condition_no = condition.condition_no
    inner join base.judgment as judgment
        on judgment.corpus_no = condition.corpus_no
        and judgment.judgment_set = condition.judgment_set
        and judgment.topic_no = block.topic_no
    inner join base.segment_story as member
        on member.condition_no = condition.condition_no
        and member.story_no = judgment.story_no
    where condition.task = 'new_event'
        and block.is_scored = 1
    group by block.condition_no, block.block_no, judgment.story_no, member.segment_no

),

first_story as (

    select
        labelled.condition_no as condition_no,
        labelled.block_no as block_no,
        min(labelled.trial_no) as first_no
    from labelled as labelled
    where labelled.is_on = 1
    group by labelled.condition_no, labelled.block_no

),

on_topic as (

    select
        labelled.condition_no as condition_no,
        labelled.block_no as block_no,
        labelled.trial_no as trial_no,
        labelled.segment_no as segment_no,
        case when labelled.trial_no = first_story.first_no then 1 else 0 end as is_first
    from labelled as labelled
    inner join first_story as first_story
        on first_story.condition_no = labelled.condition_no
        and first_story.block_no = labelled.block_no
    where labelled.is_on = 1

),

story_kind as (

    select
        on_topic.condition_no as condition_no,
        on_topic.trial_no as trial_no,
        case when min(on_topic.is_first) = max(on_topic.is_first) then 0 else 1 end as is_mixed
    from on_topic as on_topic
    group by on_topic.condition_no, on_topic.trial_no

),

trial as (

    select
        on_topic.condition_no as condition_no,
        chosen.profile_no as profile_no,
        on_topic.block_no as block_no,
        on_topic.trial_no as trial_no,
        on_topic.segment_no as segment_no,
        on_topic.is_first as is_target,
        case when story_kind.is_mixed = 1 and profile.new_event_rule = 'mixed_dropped' then 'mixed' end as exclusion_reason
    from on_topic as on_topic
    inner join story_kind as story_kind
        on story_kind.condition_no = on_topic.condition_no
        and story_kind.trial_no = on_topic.trial_no
    inner join registry.condition_profile as chosen
        on chosen.condition_no = on_topic.condition_no
    inner join registry.profile as profile
        on profile.profile_no = chosen.profile_no
    union all
    select
        labelled.condition_no as condition_no,
        chosen.profile_no as profile_no,
        labelled.block_no as block_no,
        labelled.trial_no as trial_no,
        labelled.segment_no as segment_no,
        0 as is_target,
        case when labelled.is_brief = 1 then 'brief' else 'judged_no' end as exclusion_reason
    from labelled as labelled
    inner join registry.condition_profile as chosen
        on chosen.condition_no = labelled.condition_no
    where labelled.is_on = 0

)

select
    trial.condition_no as condition_no,
    trial.profile_no as profile_no,
    trial.block_no as block_no,
    trial.trial_no as trial_no,
    trial.segment_no as segment_no,
    trial.is_target as is_target,
    case when trial.exclusion_reason is null then 1 else 0 end as is_scored,
    trial.exclusion_reason as exclusion_reason
from trial as trial
