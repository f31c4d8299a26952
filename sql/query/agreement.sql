/*
title:       Agreement of two runs
question:    On how many targets and non-targets do two runs agree, and how many targets do they accept together?
about:       stories
inputs:      report.trial
parameters:
    run        run        needed  one run
    other      run        needed  the other run
    condition  condition  none    one condition; none: all that both answer
    profile    profile    none    one scoring profile; none: all
grain:       condition_id, profile_id, is_target
columns:
    condition_id  key           evaluation condition
    profile_id    key           scoring profile
    is_target     key           1: targets; 0: non-targets
    n_trial       count         scored trials
    n_both        count         both accepted
    n_only_run    count         only run did
    n_only_other  count         only other did
    n_neither     count         neither did
    agreement     ratio [0, 1]  share of the trials with equal decisions
order:       Conditions and profiles by name, targets first.
see also:    wins, losses_against, report.trial
*/
with

answer as (
    select
        condition_id, profile_id, block_id, story_id, coalesce(story_id_2, '') as second_id, run_id, is_target,
        coalesce(decision, 'no') = 'yes' as is_yes
    from report.trial
    where is_scored = 1
        and run_id in ($run, $other)
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
),

beside as (
    select one.condition_id, one.profile_id, one.is_target, one.is_yes as run_yes, two.is_yes as other_yes
    from answer as one
    join answer as two using (condition_id, profile_id, block_id, story_id, second_id)
    where one.run_id = $run
        and two.run_id = $other
)

select
    condition_id, profile_id, is_target,
    count(*) as n_trial,
    count(*) filter (where run_yes and other_yes) as n_both,
    count(*) filter (where run_yes and not other_yes) as n_only_run,
    count(*) filter (where other_yes and not run_yes) as n_only_other,
    count(*) filter (where not run_yes and not other_yes) as n_neither,
    cast(count(*) filter (where run_yes = other_yes) as double) / count(*) as agreement
from beside
group by condition_id, profile_id, is_target
order by condition_id, profile_id, is_target desc
