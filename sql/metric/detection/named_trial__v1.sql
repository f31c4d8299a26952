/*
title:    Every trial of every run, with the names of topic and story
source:   The 2004 TDT evaluation plan, section 5 (every task is a detection task)
inputs:   registry.run, registry.condition_profile, base.block, base.trial__v1, base.decision, base.unlisted_document
grain:    run_no, profile_no, block_no, trial_no
columns:
    run_no            key      run
    profile_no        key      scoring profile
    block_no          key      block (topic)
    trial_no          key      story, or number of the pair; below 0 a document that the corpus does not have
    block_id          text     the topic, or the block of a key
    story_id          text     the story; of a pair the first
    story_id_2        text     of a pair the second; NULL elsewhere
    decision          text     yes or no; NULL: the system said nothing, which counts as no
    score             score    the system's confidence; NULL where it gave none
    is_target         flag     1: on topic, first story, or linked
    exclusion_reason  text     why it does not count; NULL where it does
    position          count    place in the corpus in order of time, from 1; NULL for pairs and unknown documents
    published_at      text     when it was published, as found
    begin_sec         seconds  where it begins in its source file
class:    exact
volume:   decisions
see also: report.trial, base.trial__v1, base.detection_trial__v1
*/
with

decided as (
    select
        run_no, block_no as decision_block_no, trial_no, score,
        case when is_yes then 'yes' when not is_yes then 'no' end as decision
    from base.decision
),

scored_block as (
    select condition_no, block_no as decision_block_no, block_id
    from base.block
    where is_scored = 1
)

select
    run_no, profile_no, block_no, trial_no, block_id, story_id, story_id_2, decision, score,
    is_target, exclusion_reason, position, published_at, begin_sec
from base.trial__v1
join registry.run using (condition_no)
left join decided using (run_no, decision_block_no, trial_no)
union all
select
    run_no, profile_no, decision_block_no as block_no, trial_no,
    block_id, document_id as story_id, cast(null as varchar) as story_id_2, decision, score,
    0 as is_target, cast(null as varchar) as exclusion_reason,
    cast(null as integer) as position, cast(null as varchar) as published_at, cast(null as double) as begin_sec
from decided
join base.unlisted_document using (run_no, trial_no)
join registry.run using (run_no)
join scored_block using (condition_no, decision_block_no)
join registry.condition_profile using (condition_no)
