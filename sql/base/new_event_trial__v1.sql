/*
title:    New event detection: who is a first story, and who is not
formula:  L(s) = topics that news story s of the test set is on; F(t) = first such story of topic t
          s gives one trial for every t in L(s): target if s = F(t), else non-target
          new_event_rule = each_topic:    all of them are scored
          new_event_rule = mixed_dropped: not scored if s is the first of some topics in L(s), not of all
source:   The 2004 TDT evaluation plan, section 5.4; TDT3eval v2.6, CreateFSDKey (mixed_dropped)
inputs:   registry.condition, registry.task, registry.condition_profile, registry.profile, base.block, base.judgment,
          base.segment_story
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
edges:    A story on no topic is not a trial: false alarms are counted on stories that
          are on a topic and not its first, because novelty is unknown otherwise.
          A story whose label is not on topic is not scored, is not a first story
          story, and does not keep a later one from being it.
          A dropped story is still the first of its topic: no other story becomes it.
          First means lowest story_no: order of the source files, then of the stories in them.
class:    exact
see also: listed_trial__v1
*/
with labelled as (
    select
        condition_no, block_no, story_no as trial_no, segment_no,
        max(case when has_word(on_topic, label) then 1 else 0 end) as is_on,
        max(case when label = 'brief' then 1 else 0 end) as is_brief
    from registry.condition join registry.task using (task) join base.block using (condition_no)
    join base.judgment using (corpus_no, judgment_set, topic_no)
    join base.segment_story using (condition_no, story_no)
    where decides_on = 'story' and is_scored = 1
    group by all
),

first_story as (
    select
        *,
        min(case when is_on = 1 then trial_no end) over (partition by condition_no, block_no) as first_no,
        case when is_on = 1 then case when trial_no = first_no then 1 else 0 end end as is_first
    from labelled
),

trial as (
    select
        first_story.*, profile_no, min(is_first) over story <> max(is_first) over story as is_mixed,
        case
            when is_on = 1 then case when is_mixed and new_event_rule = 'mixed_dropped' then 'mixed' end
            when is_brief = 1 then 'brief'
            else 'judged_no'
        end as exclusion_reason
    from first_story join registry.condition_profile using (condition_no) join registry.profile using (profile_no)
    window story as (partition by condition_no, profile_no, trial_no)
)

select
    condition_no, profile_no, block_no, trial_no, segment_no, coalesce(is_first, 0) as is_target,
    case when exclusion_reason is null then 1 else 0 end as is_scored, exclusion_reason
from trial
