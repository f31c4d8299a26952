/*
title:       The best run of each topic
question:    Which run is best on each topic, and is it the run with the best mean?
about:       topics
inputs:      report.block_score, report.leaderboard, report.condition, registry.metric
parameters:
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
grain:       condition_id, profile_id, block_id
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    metric        text    primary metric of the task
    block_id      key     topic, event, block of links or attribute
    best_run      text    run with the best number, of several the first by name
    value         double  that number
    n_best        count   runs that have it
    position      count   rank of best_run over all topics, 1 is the best
order:       Conditions, profiles and topics by name.
pages:       compare 40
see also:    topic_spread, report.leaderboard
*/
with

better as (
    select metric, min(best) as best
    from registry.metric
    group by metric
),

ranked as (
    select
        condition_id, profile_id, metric, block_id, run_id, value,
        rank() over (
            partition by condition_id, profile_id, block_id
            order by case when best = 'lowest' then value else -value end
        ) as place
    from report.block_score
    join report.condition using (condition_id)
    join better using (metric)
    where metric = primary_metric
        and subset = 'all'
        and value is not null
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
        and (condition_id, run_id) not in (
            select (condition_id, run_id) from report.leaderboard where withdrawn is not null
        )
),

winner as (
    select
        condition_id, profile_id, metric, block_id,
        min(run_id) as best_run,
        min(value) as value,
        count(*) as n_best
    from ranked
    where place = 1
    group by condition_id, profile_id, metric, block_id
)

select winner.condition_id, winner.profile_id, winner.metric, block_id, best_run, winner.value, n_best, position
from winner
left join report.leaderboard
    on leaderboard.condition_id = winner.condition_id
    and leaderboard.profile_id = winner.profile_id
    and leaderboard.run_id = winner.best_run
    and leaderboard.subset = 'all'
order by winner.condition_id, winner.profile_id, block_id
