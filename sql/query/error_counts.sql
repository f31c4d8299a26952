/*
title:       Hits, misses and false alarms, counted
question:    How many targets did each run detect, and how many false alarms did it raise?
about:       runs
inputs:      report.score
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    subset     subset     all   all, or what the counts are conditioned on
grain:       condition_id, profile_id, run_id
columns:
    condition_id         key    evaluation condition
    profile_id           key    scoring profile
    run_id               key    run
    n_target             count  scored targets
    n_hit                count  targets accepted
    n_miss               count  targets rejected
    n_nontarget          count  scored non-targets
    n_false_alarm        count  non-targets accepted
    n_correct_rejection  count  non-targets rejected
order:       Conditions, profiles and runs by name.
see also:    topic_overview, report.score
*/
select
    condition_id, profile_id, run_id,
    max(case when metric = 'n_target' then cast(value as bigint) end) as n_target,
    max(case when metric = 'n_hit' then cast(value as bigint) end) as n_hit,
    max(case when metric = 'n_miss' then cast(value as bigint) end) as n_miss,
    max(case when metric = 'n_nontarget' then cast(value as bigint) end) as n_nontarget,
    max(case when metric = 'n_false_alarm' then cast(value as bigint) end) as n_false_alarm,
    max(case when metric = 'n_correct_rejection' then cast(value as bigint) end) as n_correct_rejection
from report.score
where subset = $subset
    and weighting = 'story'
    and metric in ('n_target', 'n_hit', 'n_miss', 'n_nontarget', 'n_false_alarm', 'n_correct_rejection')
    and run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
group by condition_id, profile_id, run_id
order by condition_id, profile_id, run_id
