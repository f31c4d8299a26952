/*
title:       Topics on which a run does worst
question:    On which topics is a run worst, and how far is it there from the median run of its condition?
about:       topics
inputs:      report.median_difference, registry.metric, report.condition
parameters:
    run        run        needed  the run
    condition  condition  none    one condition; none: all that the run answers
    profile    profile    none    one scoring profile; none: all
    metric     metric     none    the metric to show; none: the primary metric of the task
    limit      count      none    rows at most; none: all
grain:       condition_id, profile_id, metric, block_id
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    metric        key     metric id
    block_id      key     topic, event, block of links or attribute
    value         double  the run's number
    median        double  the median over the runs of the condition
    difference    double  value - median
    n_run         count   runs with a number there
order:       Worst first: highest where low is good, lowest where high is.
pages:       run 10
see also:    hard_topics, losses_against, report.median_difference
*/
with

better as (
    select metric, min(best) as best
    from registry.metric
    group by metric
)

select condition_id, profile_id, metric, block_id, value, median, difference, median_difference.n_run
from report.median_difference
join report.condition using (condition_id)
join better using (metric)
where run_id = $run
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
    and metric = coalesce($metric, primary_metric)
    and subset = 'all'
order by
    case when better.best = 'highest' then value else -value end, condition_id, profile_id, metric, block_id
limit $limit
