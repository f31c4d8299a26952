/*
title:       One system under all conditions
question:    What are the score and rank of a system under each of its conditions, tasks and training languages?
about:       runs
inputs:      report.leaderboard, report.condition, registry.counted_run
parameters:
    run      run      needed  the run
    profile  profile  none    one scoring profile; none: all
grain:       condition_id, profile_id, subset
columns:
    condition_id       key     evaluation condition
    profile_id         key     scoring profile
    task               text    task
    nt                 text    training stories, V where the number varies; NULL where the task has none
    training_language  text    language of the training stories
    metric             text    primary metric of the task
    subset             key     all; attribute=NAME where the blocks are attributes
    value              double  the number; NULL where it is undefined
    position           count   rank among the runs of the condition, 1 is the best
    n_run              count   runs that answer the condition and are not withdrawn
order:       Tasks, conditions, profiles and subsets by name.
see also:    leaderboard, report.condition
*/
with panel as (select condition_id, count(*) as n_run from registry.counted_run group by condition_id)

select
    condition_id, profile_id, leaderboard.task, nt, training_language, metric, subset, value, position,
    coalesce(panel.n_run, 0) as n_run
from report.leaderboard
join report.condition using (condition_id)
left join panel using (condition_id)
where run_id = $run
    and profile_id = coalesce($profile, profile_id)
order by leaderboard.task, condition_id, profile_id, subset
