/*
title:    Every trial of every run, with the names of run, topic and story
source:   The 2004 TDT evaluation plan, section 5 (every task is a detection task)
inputs:   base.detection_trial__v1
grain:    run_no, profile_no, block_no, trial_no
columns:
    run_no            key      run
    profile_no        key      scoring profile
    block_no          key      block (topic)
    trial_no          key      story, or number of the pair; below 0 a document that the corpus does not have
    run_id            text     the run
    block_id          text     the topic, or the block of a key
    story_id          text     the story; of a pair the first
    story_id_2        text     of a pair the second; NULL elsewhere
    decision          text     yes or no; NULL: missing, which counts as rejected, or undecided
    given_score       score    the system's score; NULL where it gave none
    is_decided        flag     0: the run gave scores alone, and the profile makes no decisions of them
    is_target         flag     1: on topic, first story, or linked
    exclusion_reason  text     why it does not count; NULL where it does
    position          count    rank in the corpus in order of time, from 1; NULL for pairs and unknown documents
    published_at      time     when it was published; NULL where unknown
    begin_sec         seconds  where it begins in its source file
class:    exact
volume:   decisions
see also: report.trial, base.trial__v1, base.detection_trial__v1
*/
select
    run_no, profile_no, block_no, trial_no, run_id, block_id, story_id, story_id_2,
    case when is_answered = 0 or is_decided = 0 then null when is_yes = 1 then 'yes' else 'no' end as decision,
    case when is_answered = 1 then score end as given_score, is_decided, is_target, exclusion_reason, position,
    published_at, begin_sec
from base.detection_trial__v1
