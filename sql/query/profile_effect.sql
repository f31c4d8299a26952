/*
title:       What a profile changes
question:    Which numbers of a run differ between two scoring profiles, and by how much?
about:       runs
inputs:      report.score
parameters:
    first      profile    needed  scoring profile
    second     profile    needed  the other scoring profile
    run        run        none    one run; none: all
    condition  condition  none    one condition; none: all that have both profiles
    metric     metric     none    one number; none: all
    subset     subset     all     all, or what the numbers are conditioned on
grain:       condition_id, run_id, subset, metric, weighting
columns:
    condition_id  key     evaluation condition
    run_id        key     run
    subset        key     all, or what the number is conditioned on
    metric        key     metric id
    weighting     key     topic, topic_all, story or none
    first_value   double  under the first profile; NULL where it is undefined
    second_value  double  under the second
    difference    double  second_value - first_value; NULL where one of them is
    first_n       count   topics or trials behind the first
    second_n      count   topics or trials behind the second
order:       Conditions, runs, subsets, metrics and weightings by name. Equal numbers are left out.
see also:    weighting_effect, leaderboard, report.score
*/
select
    condition_id, run_id, subset, metric, weighting,
    one.value as first_value,
    other.value as second_value,
    other.value - one.value as difference,
    one.n as first_n,
    other.n as second_n
from report.score as one
join report.score as other using (condition_id, run_id, subset, metric, weighting)
where one.profile_id = $first
    and other.profile_id = $second
    and (one.value is distinct from other.value or one.n <> other.n)
    and run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
    and metric = coalesce($metric, metric)
    and subset = $subset
order by condition_id, run_id, subset, metric, weighting
