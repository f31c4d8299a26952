/*
title:       Non-targets with the highest scores
question:    Which non-targets does a run score highest, and how many targets have lower scores?
about:       trials
inputs:      base.detection_trial__v1, base.verification_trial, base.verification_attribute,
             registry.run, registry.condition, registry.profile
parameters:
    run        run        needed  the run
    condition  condition  none    one condition; none: all keys of trials that the run answers
    profile    profile    none    one scoring profile; none: all
    limit      count      20      rows at most
grain:       condition_id, profile_id, trial_id, test_id, side
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    trial_id      key    the trial, or what was enrolled
    test_id       key    what it is compared with; NULL where the trial has one id
    side          key    channel of that; NULL where the key names none
    score         score  the run's score
    n_target      count  targets of that score or a lower one
    attributes    text   what the key says of the trial, by name; NULL where that is nothing
order:       Highest score first.
edges:       Trials that the profile does not score are not here.
see also:    lowest_targets, top_false_alarms, report.trial
*/
with

attribute as (
    select condition_no, segment_no, string_agg(attribute || '=' || value, ', ' order by attribute) as attributes
    from base.verification_attribute
    where value is not null
    group by condition_no, segment_no
),

trial as (
    select
        condition_id, profile_id, verification_trial.trial_id, test_id, side, segment_no, condition_no,
        detection_trial.score, is_target,
        cast(sum(is_target) over upwards as bigint) as n_target
    from base.detection_trial__v1 as detection_trial
    join registry.run using (run_no, run_id)
    join registry.condition using (condition_no)
    join registry.profile using (profile_no)
    join base.verification_trial using (condition_no, trial_no)
    where run_id = $run
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
        and is_scored = 1
    window upwards as (
        partition by condition_no, profile_no
        order by detection_trial.score
        range between unbounded preceding and current row
    )
)

select condition_id, profile_id, trial_id, test_id, side, score, n_target, attributes
from trial
left join attribute using (condition_no, segment_no)
where is_target = 0
order by score desc, condition_id, profile_id, trial_id, test_id, side
limit $limit
