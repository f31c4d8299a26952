/*
title:    Non-targets that a run accepted: off topic and accepted
source:   The 2004 TDT evaluation plan, section 5 (false alarms)
inputs:   registry.run, registry.condition, registry.profile, metric.detection_named_false_alarm__v1
grain:    run_id, condition_id, profile_id, block_id, story_id, story_id_2
columns:
    run_id        key      run
    task          text     task of its condition
    condition_id  key      evaluation condition
    profile_id    key      scoring profile
    block_id      key      topic, or block of a key
    story_id      key      story; of a pair the first
    story_id_2    key      of a pair the second; NULL elsewhere
    score         score    the system's confidence
    position      count    rank in the corpus in order of time, from 1; NULL for pairs and unknown documents
    published_at  time     when it was published; NULL where unknown
class:    exact
see also: trial, missed_story
*/
select run_id, task, condition_id, profile_id, block_id, story_id, story_id_2, score, position, published_at
from metric.detection_named_false_alarm__v1
join registry.run using (run_no) join registry.condition using (condition_no) join registry.profile using (profile_no)
