/*
title:    Targets that a run missed: on topic, and it said no or nothing
source:   The 2004 TDT evaluation plan, section 5 (missed detections)
inputs:   report.trial
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
    position      count    place in the corpus in order of time, from 1; NULL for pairs
    published_at  text     when it was published, as found
edges:    Of runs that decided nothing there are no rows.
class:    exact
see also: trial, false_alarm
*/
select
    run_id, task, condition_id, profile_id, block_id, story_id, story_id_2, decision, score, position, published_at
from report.trial
where is_target = 1 and is_scored = 1 and coalesce(decision, 'no') = 'no'
