/*
title:    Runs whose rank is another one, by the metric that the leaderboard ranks by
edges:    A withdrawn run has no rank. Ranks of one condition, profile and subset are of all its runs.
*/
with

ranked as (
    select side, score.condition_id, profile_id, subset, coalesce(new_id, run_id) as run_id, metric, position, value
    from (
        select 'old' as side, * from old.report.leaderboard
        union all by name select 'new' as side, * from new.report.leaderboard
    ) as score
    left join renamed on side = 'old' and renamed.condition_id = score.condition_id and old_id = run_id
),

both_ranks as (
    select
        condition_id, profile_id, subset, run_id,
        max(position) filter (where side = 'old') as before,
        max(position) filter (where side = 'new') as now,
        max(value) filter (where side = 'old') as old_value,
        max(value) filter (where side = 'new') as new_value,
        max(metric) filter (where side = 'old') as old_metric,
        max(metric) filter (where side = 'new') as new_metric
    from ranked
    group by condition_id, profile_id, subset, run_id
)

select
    'rank' as what,
    format('{}/{}, {}', condition_id, run_id, profile_id) || case when subset = 'all' then '' else ', ' || subset end
        as name,
    format(
        '{} -> {} of {} ({} {} -> {})',
        coalesce(before::varchar, 'none'),
        coalesce(now::varchar, 'none'),
        count(now) over (partition by condition_id, profile_id, subset),
        case when old_metric <> new_metric then old_metric || ', then ' else '' end || coalesce(new_metric, old_metric),
        coalesce(format('{:.6g}', old_value), 'none'),
        coalesce(format('{:.6g}', new_value), 'none')
    ) as change,
    '' as because
from both_ranks
qualify before is distinct from now
order by condition_id, profile_id, subset, now nulls last, before, run_id
