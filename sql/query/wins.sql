/*
title:       On how many topics a run beats another
question:    On how many topics is each run better than each other run, and by how much in the mean?
about:       runs
inputs:      report.win_tie_loss, report.condition
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    metric     metric     none  the metric to show; none: the primary metric of the task
grain:       condition_id, profile_id, metric, run_id, baseline_id
columns:
    condition_id     key     evaluation condition
    profile_id       key     scoring profile
    metric           key     metric id
    run_id           key     run
    baseline_id      key     run it is compared with
    n_win            count   topics on which run_id is better
    n_tie            count   topics on which they are equal to 1e-12
    n_loss           count   topics on which it is worse
    mean_difference  double  mean of run_id - baseline_id over these topics
order:       Names.
pages:       compare 10
see also:    losses_against, leaderboard, report.win_tie_loss
*/
select condition_id, profile_id, metric, run_id, baseline_id, n_win, n_tie, n_loss, mean_difference
from report.win_tie_loss
join report.condition using (condition_id)
where metric = coalesce($metric, primary_metric)
    and subset = 'all'
    and run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
order by condition_id, profile_id, metric, run_id, baseline_id
