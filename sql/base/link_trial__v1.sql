/*
title:    Link detection: which pairs of stories are linked
formula:  With a key: what the key says, in the block that the key names.
          Without one, per pair and topic that one of its stories is on:
              both stories on the topic                -> target of the topic
              one on it, the other not                 -> non-target of the topic
              one on it, the other brief for it        -> not scored: brief
              linked by another topic                  -> not scored: linked_elsewhere
source:   The 2004 TDT evaluation plan, section 5.5; TDT3eval v2.6, DetectionScore.pl (keys)
inputs:   registry.condition, registry.condition_profile, base.block, base.judgment, base.link_pair, base.link_answer
grain:    condition_no, profile_no, block_no, trial_no
columns:
    condition_no      key    condition
    profile_no        key    scoring profile
    block_no          key    block of the key, or topic
    trial_no          key    pair
    segment_no        count  segment the pair counts in
    is_target         flag   1: the stories are linked
    is_scored         flag   0: not a trial
    exclusion_reason  text   other, brief or linked_elsewhere; NULL when scored
edges:    Without a key, a pair whose stories are on no topic is no trial: nobody
          knows whether it is linked. A pair of two stories on different topics is a
          non-target of both; topic weighting needs it in each.
class:    exact
see also: listed_trial__v1
*/
with

side as (

    select
        pair.condition_no as condition_no,
        pair.trial_no as trial_no,
        pair.segment_no as segment_no,
        pair.story_no_1 as story_no
    from base.link_pair as pair
    union all
    select
        pair.condition_no as condition_no,
        pair.trial_no as trial_no,
        pair.segment_no as segment_no,
        pair.story_no_2 as story_no
    from base.link_pair as pair

),

labelled as (

    select
        condition.condition_no as condition_no,
        block.block_no as block_no,
        judgment.story_no as story_no,
        max(case when ' ' || condition.on_topic || ' ' like '% ' || judgment.label || ' %' then 1 else 0 end) as is_on,
        max(case when judgment.label = 'brief' then 1 else 0 end) as is_brief
    from registry.condition as condition
    inner join base.block as block
        on block.condition_no = condition.condition_no
    inner join base.judgment as judgment
        on judgment.corpus_no = condition.corpus_no
        and judgment.judgment_set = condition.judgment_set
        and judgment.topic_no = block.topic_no
    where condition.task = 'link'
        and condition.has_key = 0
        and block.is_scored = 1
    group by condition.condition_no, block.block_no, judgment.story_no

),

derived as (

    select
        side.condition_no as condition_no,
        labelled.block_no as block_no,
        side.trial_no as trial_no,
        side.segment_no as segment_no,
        sum(labelled.is_on) as n_on,
        sum(case when labelled.is_on = 0 then labelled.is_brief else 0 end) as n_brief
    from side as side
    inner join labelled as labelled
        on labelled.condition_no = side.condition_no
        and labelled.story_no = side.story_no
    group by side.condition_no, labelled.block_no, side.trial_no, side.segment_no

),

linked as (

    select
        derived.condition_no as condition_no,
        derived.trial_no as trial_no,
        1 as hit
    from derived as derived
    where derived.n_on = 2
    group by derived.condition_no, derived.trial_no

),

answered as (

    select
        derived.condition_no as condition_no,
        derived.block_no as block_no,
        derived.trial_no as trial_no,
        derived.segment_no as segment_no,
        case when derived.n_on = 2 then 1 else 0 end as is_target,
        case
            when derived.n_on = 2 then null
            when coalesce(linked.hit, 0) = 1 then 'linked_elsewhere'
            when derived.n_brief > 0 then 'brief'
        end as exclusion_reason
    from derived as derived
    left join linked as linked
        on linked.condition_no = derived.condition_no
        and linked.trial_no = derived.trial_no
    where derived.n_on > 0
    union all
    select
        answer.condition_no as condition_no,
        answer.block_no as block_no,
        answer.trial_no as trial_no,
        pair.segment_no as segment_no,
        case when answer.answer = 'target' then 1 else 0 end as is_target,
        case when answer.answer = 'other' then 'other' end as exclusion_reason
    from base.link_answer as answer
    inner join base.link_pair as pair
        on pair.condition_no = answer.condition_no
        and pair.trial_no = answer.trial_no

)

select
    answered.condition_no as condition_no,
    chosen.profile_no as profile_no,
    answered.block_no as block_no,
    answered.trial_no as trial_no,
    answered.segment_no as segment_no,
    answered.is_target as is_target,
    case when answered.exclusion_reason is null then 1 else 0 end as is_scored,
    answered.exclusion_reason as exclusion_reason
from answered as answered
inner join registry.condition_profile as chosen
    on chosen.condition_no = answered.condition_no
