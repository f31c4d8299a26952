/*
title:       Ranking by metric
question:    What is the rank of each run by each metric, and where does the order change?
about:       runs
inputs:      report.score, registry.metric, report.leaderboard
parameters:
    condition  condition  needed  the condition
    profile    profile    none    one scoring profile; none: all
    weighting  weighting  topic   topic: means over topics; story: all stories together
grain:       condition_id, profile_id, metric, run_id
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    metric        key     metric id, of those that have a better end
    run_id        key     run
    value         double  the number
    position      count   1 is the best; equal values share a position
    n_run         count   runs with a number
order:       Profiles and metrics by name, the best run first.
see also:    leaderboard, report.score
*/
with

better as (
    select metric, min(best) as best
    from registry.metric
    group by metric
    having min(best) <> 'none'
)

select
    condition_id, profile_id, metric, run_id, value,
    rank() over (
        partition by condition_id, profile_id, metric order by case when best = 'lowest' then value else -value end
    ) as position,
    count(*) over (partition by condition_id, profile_id, metric) as n_run
from report.score
join better using (metric)
where condition_id = $condition
    and profile_id = coalesce($profile, profile_id)
    and weighting = $weighting
    and subset = 'all'
    and value is not null
    and run_id not in (
        select run_id from report.leaderboard where condition_id = $condition and withdrawn is not null
    )
order by profile_id, metric, position, run_id
