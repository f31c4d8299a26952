/*
title:    Targets that a run missed: on topic and rejected or without a decision
source:   The 2004 TDT evaluation plan, section 5 (missed detections)
inputs:   registry.run, registry.condition, registry.profile, metric.detection_named_trial__v1
grain:    run_id, condition_id, profile_id, block_id, story_id, story_id_2
columns:
    run_id        key      run
    task          text     task of its condition
    condition_id  key      evaluation condition
    profile_id    key      scoring profile
    block_id      key      topic, or block of a key
    story_id      key      story; of a pair the first
    story_id_2    key      of a pair the second; NULL elsewhere
    decision      text     no; NULL: the system said nothing
    score         score    the system's confidence; NULL where it gave none
    position      count    rank in the corpus in order of time, from 1; NULL for pairs
    published_at  time     when it was published; NULL where unknown
edges:    A run of scores alone missed nothing: it did not decide.
class:    exact
see also: trial, false_alarm
*/
select
    run_id, task, condition_id, profile_id, block_id, story_id, story_id_2, decision, given_score as score, position,
    published_at
from metric.detection_named_trial__v1
join registry.run using (run_no, run_id) join registry.condition using (condition_no)
join registry.profile using (profile_no)
where is_target = 1 and exclusion_reason is null and is_decided = 1 and coalesce(decision, 'no') = 'no'
