/*
title:       Leaderboard with differences
question:    What is the rank of each run of a condition, and how far is its score from the best?
about:       runs
inputs:      report.leaderboard
parameters:
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
grain:       condition_id, profile_id, subset, run_id
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    metric        text    primary metric of the task
    subset        key     all; attribute=NAME where the blocks are attributes
    position      count   1 is the best; equal values share a position
    run_id        key     run
    value         double  the number; NULL where it is undefined
    behind        double  how far from the best of the condition and profile
    n             count   topics that entered the mean
order:       Conditions, profiles and subsets by name, the best run first.
see also:    wins, ranks_by_metric, report.leaderboard
*/
select
    condition_id, profile_id, metric, subset, position, run_id, value,
    abs(value - first_value(value) over best_first) as behind,
    n
from report.leaderboard
where condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
window best_first as (partition by condition_id, profile_id, subset order by position, run_id)
order by condition_id, profile_id, subset, position, run_id
