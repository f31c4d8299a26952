/*
title:    Every trial of every run, by the names that users know: what was decided, what is right, whether it counts
source:   The 2004 TDT evaluation plan, section 5 (every task is a detection task)
inputs:   registry.run, registry.condition, registry.task, registry.profile, base.labelled_story,
          metric.detection_named_trial__v1, metric.verification_key_trial__v1
grain:    run_id, condition_id, profile_id, block_id, story_id, story_id_2
columns:
    run_id            key     run
    task              text    task of its condition
    condition_id      key     evaluation condition
    profile_id        key     scoring profile
    block_id          key     topic, or block of a key
    story_id          key     story; of a pair the first
    story_id_2        key     of a pair the second; NULL elsewhere
    decision          text    yes or no; NULL: missing, which counts as rejected, or the run has scores only
    score             score   the system's confidence; NULL where it gave none
    is_target         flag    1: on topic, first story, or linked
    is_scored         flag    1: it counts
    exclusion_reason  text    why it does not count: not_news, excluded_source_file, training, before_test,
                              other_condition, brief, judged_no, mixed, other or linked_elsewhere; NULL where it does
    position          count   rank in the corpus in order of time, from 1; NULL for pairs and unknown documents
    published_at      time    when it was published; NULL where unknown
    begin_sec         seconds  where it begins in its source file
    trial_id          text    scored trials: the trial, or what was enrolled; NULL elsewhere
    test_id           text    scored trials: what it is compared with; NULL where a trial has one id
    attributes        text    scored trials: name=value of each attribute, between commas: attack=A07,codec=C01
    is_judged         flag    tracking, filtering: 1: the judgments of the topic name the story; 0: they do not, and
                              it counts as not relevant; NULL for other tasks
edges:    Every story is here for every topic: name a topic, a story or a run, or ask report.missed_story
          and report.false_alarm, which are short.
class:    exact
volume:   decisions
see also: missed_story, false_alarm, base.trial__v1, base.detection_trial__v1
*/
with judged as (
    select condition_no, block_no, story_no as trial_no, 1 as is_labelled
    from base.labelled_story where label is not null
)

-- in the tasks of topics judgments name some of the stories
select
    run_id, task, condition_id, profile_id, block_id, story_id, story_id_2, decision, given_score as score, is_target,
    case when exclusion_reason is null then 1 else 0 end as is_scored, exclusion_reason, trial.position, published_at,
    begin_sec, trial_id, test_id, key_trial.attributes,
    case when decides_on = 'topic' then coalesce(is_labelled, 0) end as is_judged
from metric.detection_named_trial__v1 as trial
join registry.run using (run_no, run_id) join registry.condition using (condition_no) join registry.task using (task)
join registry.profile using (profile_no)
left join judged using (condition_no, block_no, trial_no)
left join metric.verification_key_trial__v1 as key_trial using (condition_no, trial_no)
