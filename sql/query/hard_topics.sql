/*
title:       Topics where all systems fail
question:    On which topics is even the best run no better than the default decision (accept or reject everything)?
about:       topics
inputs:      report.block_score, registry.counted_run
parameters:
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    cost       number     1     normalised cost from which a run has failed; 1 is a system that rejects everything
grain:       condition_id, profile_id, block_id
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    block_id      key    topic or block of links
    n_run         count  runs with a cost there
    best_run      text   the run with the lowest cost, of several the first by name
    best_cost     cost   its normalised cost
    worst_cost    cost   that of the worst run
order:       Highest cost of the best run first.
see also:    worst_topics, topic_spread, report.block_score
*/
select
    condition_id, profile_id, block_id,
    count(*) as n_run,
    arg_min(run_id, (value, run_id)) as best_run,
    min(value) as best_cost,
    max(value) as worst_cost
from report.block_score
join registry.counted_run using (condition_id, run_id)
where metric = 'c_det_norm'
    and subset = 'all'
    and value is not null
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
group by condition_id, profile_id, block_id
having min(value) >= $cost
order by best_cost desc, condition_id, profile_id, block_id
