/*
title:       Trials that most runs get wrong
question:    Which trials are on the wrong side of the equal-error threshold in the most runs?
about:       trials
inputs:      base.detection_trial__v1, metric.verification_eer_rule__v1, base.verification_trial, registry.counted_run,
             registry.profile
parameters:
    condition  condition  none  one condition; none: all keys of trials
    profile    profile    none  one scoring profile; none: all
    runs       count      2     runs that are wrong at least
    limit      count      50    rows at most
grain:       condition_id, profile_id, trial_id, test_id, side
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    trial_id      key    the trial, or what was enrolled
    test_id       key    what it is compared with; NULL where the trial has one id
    side          key    channel of that; NULL where the key names none
    is_target     flag   1: a target
    n_wrong       count  runs that are wrong
    n_run         count  runs with a score there
    who           text   the runs that are wrong, by name
order:       The trial that most runs get wrong first.
edges:       Each run by its own threshold, where its error rates cross; a score that is just that is not wrong.
see also:    missed_by_all, shared_false_alarms, lowest_targets, metric.verification_eer
*/
with

threshold as (
    select run_no, profile_no, score as crossing
    from metric.verification_eer_rule__v1
    where subset_no = 0
),

trial as (
    select
        condition_id, profile_id, run_id, verification_trial.trial_id, test_id, side, is_target,
        case when is_target = 1 then score < crossing else score > crossing end as is_wrong
    from base.detection_trial__v1
    join threshold using (run_no, profile_no)
    join registry.counted_run using (run_no, run_id)
    join registry.profile using (profile_no)
    join base.verification_trial using (condition_no, trial_no)
    where is_scored = 1
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
)

select
    condition_id, profile_id, trial_id, test_id, side, is_target,
    count(*) filter (where is_wrong) as n_wrong,
    count(*) as n_run,
    string_agg(run_id, ', ' order by run_id) filter (where is_wrong) as who
from trial
group by condition_id, profile_id, trial_id, test_id, side, is_target
having n_wrong >= $runs
order by n_wrong desc, condition_id, profile_id, trial_id, test_id, side
limit $limit
