/*
title:       Intervals
question:    How certain is each number that has a confidence interval?
about:       runs
inputs:      report.interval, report.leaderboard
needs:       interval
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    metric     metric     none  one metric; none: all that have stored intervals
grain:       condition_id, profile_id, metric, run_id
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    metric        key     metric
    run_id        key     run
    value         double  the number
    low           double  lower end
    high          double  upper end
    unit          text    what was drawn: topics, items, trials or clusters of them
    n_draw        count   how often
    mark          text    interval
order:       Conditions and profiles by name, the metric of the leaderboard first; runs as the leaderboard has them.
show:        xy x=value y=run_id low=low until=high series=run_id mark=mark by=metric
pages:       report 12 condition 12
edges:       Of several settings of intervals, that nearest to the default with the most draws.
see also:    leaderboard, report.interval
*/
with

board as (
    select condition_id, profile_id, weighting, metric as primary_metric, run_id, position
    from report.leaderboard
    where subset = 'all'
),

interval as (
    select condition_id, profile_id, weighting, metric, run_id, value, low, high, unit, n_draw
    from report.interval
    where subset = 'all'
        and low is not null
        and preference = 1
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
        and run_id = coalesce($run, run_id)
        and metric = coalesce($metric, metric)
)

select condition_id, profile_id, metric, run_id, value, low, high, unit, n_draw, 'interval' as mark
from interval join board using (condition_id, profile_id, weighting, run_id)
order by condition_id, profile_id, metric <> primary_metric, metric, position nulls last, run_id
