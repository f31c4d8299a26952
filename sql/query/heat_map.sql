/*
title:       Heat map
question:    Which topics are easy for all runs, and which for some only?
about:       topics
inputs:      report.block_score, report.leaderboard, registry.metric, registry.counted_run
parameters:
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    metric     metric     none  one metric; none: that of the leaderboard
grain:       condition_id, profile_id, metric, run_id, block_id
columns:
    condition_id  key           evaluation condition
    profile_id    key           scoring profile
    metric        key           metric
    run_id        key           run
    block_id      key           topic, event, item or attribute
    value         double        its number; NULL where it is undefined
    shade         ratio [0, 1]  1 is best; the worst fiftieth of the numbers has 0
    mark          text          cell
order:       Conditions, profiles and metrics by name; the best run first, the easiest topic first.
show:        xy x=block_id y=run_id series=run_id mark=mark value=value shade=shade by=metric size=900x600
pages:       report 40 condition 40
edges:       Conditions with one topic, and with more than 20,000 numbers, are left out, as are withdrawn runs. A
             metric without a better end is shown as if low were good. Light is better, grey is undefined.
see also:    topics_by_run, hard_topics
*/
with

board as (select distinct condition_id, profile_id, metric, 1 as is_primary from report.leaderboard),

direction as (select metric, min(best) as best from registry.metric group by metric),

number as (
    select
        condition_id, profile_id, metric, run_id, block_id, value,
        case when best = 'highest' then value else -value end as good
    from report.block_score
    join registry.counted_run using (condition_id, run_id)
    left join board using (condition_id, profile_id, metric)
    left join direction using (metric)
    where subset = 'all'
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
        and (metric = $metric or $metric is null and is_primary = 1)
),

placed as (
    select
        *,
        quantile_cont(good, 0.02) over whole as worst,
        max(good) over whole as best,
        avg(good) over (partition by condition_id, profile_id, metric, run_id) as of_run,
        avg(good) over (partition by condition_id, profile_id, metric, block_id) as of_topic,
        count(distinct block_id) over whole as n_topic,
        count(*) over whole as n_number
    from number
    window whole as (partition by condition_id, profile_id, metric)
)

select
    condition_id, profile_id, metric, run_id, block_id, value,
    case
        when good is null then null when best > worst then greatest((good - worst) / (best - worst), 0) else 1
    end as shade,
    'cell' as mark
from placed
where n_topic > 1
    and n_number <= 20000
order by condition_id, profile_id, metric, of_run desc nulls last, run_id, of_topic desc nulls last, block_id
