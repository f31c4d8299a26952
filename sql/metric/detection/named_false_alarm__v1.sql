/*
title:    Non-targets that runs accepted, with the names of topic and story
source:   The 2004 TDT evaluation plan, section 5 (false alarms)
inputs:   registry.run, base.block, base.scored_decision__v1, base.trial_name__v1, base.unlisted_document
grain:    run_no, profile_no, block_no, trial_no
columns:
    run_no        key    run
    profile_no    key    scoring profile
    block_no      key    block (topic)
    trial_no      key    story, or number of the pair; below 0 a document that the corpus does not have
    block_id      text   the topic, or the block of a key
    story_id      text   the story; of a pair the first
    story_id_2    text   of a pair the second; NULL elsewhere
    score         score  the system's confidence
    position      count  rank in the corpus in order of time, from 1; NULL for pairs and unknown documents
    published_at  time   when it was published; NULL where unknown
class:    exact
see also: report.false_alarm, base.scored_decision__v1
*/
with accepted as (
    select *
    from base.scored_decision__v1
    join (select run_no, condition_no from registry.run) as run using (run_no)
    where is_yes = 1 and is_target = 0
),

named as (
    select run_no, profile_no, block_no, trial_no, condition_no, story_id, story_id_2, score, position, published_at
    from accepted join base.trial_name__v1 using (condition_no, trial_no)
    union all
    select
        run_no, profile_no, block_no, trial_no, condition_no, document_id as story_id,
        cast(null as varchar) as story_id_2, score, cast(null as integer) as position,
        cast(null as timestamp) as published_at
    from accepted join base.unlisted_document using (run_no, trial_no)
)

select run_no, profile_no, block_no, trial_no, block_id, story_id, story_id_2, score, position, published_at
from named join base.block using (condition_no, block_no)
