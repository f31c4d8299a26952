/*
title:    The run of each threshold that a profile takes from another condition
source:   Our own: registry.profile.decide_at = 'condition', the threshold of the least cost elsewhere
inputs:   registry.run, registry.condition, registry.condition_profile, registry.profile, registry.corpus,
          registry.task, ledger.profile_text
grain:    run_no, profile_no
columns:
    run_no             key    run of scores alone
    profile_no         key    profile that decides
    run_id             text   name of the run
    condition_id       text   its condition
    from_condition_id  text   condition that the threshold is fitted on
    from_condition_no  count  its number; NULL: no such condition of decisions
    from_run_no        count  run of the same name there; NULL: none
    source_sha256      text   hash of that run, its condition and corpus
    made_from          text   the same with the values of the profile
class:    exact
see also: derived.carried_threshold, report.threshold
*/
with

asked as (
    select run_no, profile_no, run_id, condition_id, decide_condition as from_condition_id
    from registry.run
    join registry.condition using (condition_no)
    join registry.condition_profile using (condition_no)
    join registry.profile using (profile_no)
    where decide_at = 'condition' and has_decision = 0
),

condition_of_decisions as (
    select
        condition_no as from_condition_no, condition_id as from_condition_id,
        concat(condition.content_sha256, '|', corpus.content_sha256) as condition_sha256
    from registry.condition
    join registry.corpus using (corpus_no)
    join registry.task using (task)
    where is_detection = 1
),

fitted as (
    select run_no as from_run_no, condition_no as from_condition_no, run_id, content_sha256
    from registry.run
)

select
    asked.run_no, profile_no, run_id, condition_id, from_condition_id, from_condition_no, from_run_no,
    sha256(concat(content_sha256, '|', condition_sha256)) as source_sha256,
    sha256(concat(content_sha256, '|', condition_sha256, '|', profile_text)) as made_from
from asked
join ledger.profile_text using (profile_no)
left join condition_of_decisions using (from_condition_id)
left join fitted using (from_condition_no, run_id)
