/*
title:    Link detection: which pairs of stories are linked
formula:  With a key: what the key says, in the block that the key names.
          Without one, per pair and topic that one of its stories is on:
              both stories on the topic                -> target of the topic
              one on it, the other not                 -> non-target of the topic
              one on it, the other brief for it        -> not scored: brief
              linked by another topic                  -> not scored: linked_elsewhere
          In both cases a pair with a story of an excluded source file is not scored: excluded_source_file.
source:   The 2004 TDT evaluation plan, section 5.5; TDT3eval v2.6, DetectionScore.pl (keys)
inputs:   registry.condition, registry.task, registry.condition_profile, base.block, base.judgment, base.link_pair,
          base.link_answer, base.story, base.source_file
grain:    condition_no, profile_no, block_no, trial_no
columns:
    condition_no      key    condition
    profile_no        key    scoring profile
    block_no          key    block of the key, or topic
    trial_no          key    pair
    segment_no        count  segment the pair counts in
    is_target         flag   1: the stories are linked
    is_scored         flag   0: not a trial
    exclusion_reason  text   excluded_source_file, other, brief or linked_elsewhere; NULL when scored
edges:    Without a key, a pair whose stories are on no topic is not a trial: no one
          knows whether it is linked. A pair of two stories on different topics is a
          non-target of both; topic weighting, which the plan uses exclusively, needs it in each. Story
          weighting accumulates errors over all topics (section 5), and so counts such a pair in each too. Who wants
          every pair once gives a key with one block. The kind of a story (news or not) does not matter: its pair is
          listed.
class:    exact
see also: listed_trial__v1
*/
with side as (
    select condition_no, trial_no, segment_no, story_no_1 as story_no from base.link_pair
    union all
    select condition_no, trial_no, segment_no, story_no_2 as story_no from base.link_pair
),

labelled as (
    select
        condition_no, block_no, story_no, max(case when has_word(on_topic, label) then 1 else 0 end) as is_on,
        max(case when label = 'brief' then 1 else 0 end) as is_brief
    from registry.condition join registry.task using (task) join base.block using (condition_no)
    join base.judgment using (corpus_no, judgment_set, topic_no)
    where decides_on = 'pair' and has_key = 0 and is_scored = 1
    group by all
),

derived as (
    select
        condition_no, block_no, trial_no, segment_no, sum(is_on) as n_on,
        sum(case when is_on = 0 then is_brief else 0 end) as n_brief
    from side join labelled using (condition_no, story_no)
    group by all
),

left_out as (
    select condition_no, story_no from registry.condition join base.story using (corpus_no)
    join base.source_file using (corpus_no, source_file_no) where is_excluded = 1
),

excluded as (
    select condition_no, trial_no, 1 as is_excluded from base.link_pair
    where (condition_no, story_no_1) in (select condition_no, story_no from left_out)
        or (condition_no, story_no_2) in (select condition_no, story_no from left_out)
),

answered as (
    select
        condition_no, block_no, trial_no, segment_no, case when n_on = 2 then 1 else 0 end as is_target,
        case
            when n_on = 2 then null
            when max(n_on) over (partition by condition_no, trial_no) = 2 then 'linked_elsewhere'
            when n_brief > 0 then 'brief'
        end as exclusion_reason
    from derived where n_on > 0
    union all
    select
        condition_no, block_no, trial_no, segment_no, case when answer = 'target' then 1 else 0 end as is_target,
        case when answer = 'other' then 'other' end as exclusion_reason
    from base.link_answer join base.link_pair using (condition_no, trial_no)
)

select
    condition_no, profile_no, block_no, trial_no, segment_no, is_target,
    case when is_excluded is null and exclusion_reason is null then 1 else 0 end as is_scored,
    case when is_excluded = 1 then 'excluded_source_file' else exclusion_reason end as exclusion_reason
from answered left join excluded using (condition_no, trial_no) join registry.condition_profile using (condition_no)
