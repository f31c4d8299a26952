/*
title:       Topics that tell systems apart
question:    On which topics do the runs of a condition differ most?
about:       topics
inputs:      report.block_score, report.condition, registry.counted_run
parameters:
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    metric     metric     none  the metric to show; none: the primary metric of the task
    limit      count      none  rows at most; none: all
grain:       condition_id, profile_id, metric, block_id
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    metric        key     metric id
    block_id      key     topic, event, block of links or attribute
    n_run         count   runs with a number there
    lowest        double  the lowest number
    lowest_run    text    whose it is, of several the first by name
    highest       double  the highest number
    highest_run   text    whose it is, of several the first by name
    spread        double  highest - lowest
order:       Widest spread first.
see also:    hard_topics, topic_winners, report.block_score
*/
select
    condition_id, profile_id, metric, block_id,
    count(*) as n_run,
    min(value) as lowest,
    arg_min(run_id, (value, run_id)) as lowest_run,
    max(value) as highest,
    arg_min(run_id, (-value, run_id)) as highest_run,
    max(value) - min(value) as spread
from report.block_score
join registry.counted_run using (condition_id, run_id)
join report.condition using (condition_id)
where metric = coalesce($metric, primary_metric)
    and subset = 'all'
    and value is not null
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
group by condition_id, profile_id, metric, block_id
order by spread desc, condition_id, profile_id, metric, block_id
limit $limit
