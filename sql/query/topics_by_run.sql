/*
title:       Topics by runs
question:    Which number does each run have on each topic?
about:       topics
inputs:      report.block_score, report.leaderboard, registry.metric, registry.counted_run
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    metric     metric     none  one metric; none: the usual ones, that of the leaderboard first
    topic      topic      none  one topic; none: all
grain:       condition_id, profile_id, metric, block_id, run_id
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    metric        key     metric
    block_id      key     topic, event, item or attribute
    mean          double  of the runs on this topic
    spread        double  between the highest and the lowest run
    run_id        key     run
    value         double  its number; NULL where it is undefined
    is_best       count   1: no run is better; 0 where all are equal
order:       Conditions and profiles by name, the metric of the leaderboard first; topics by number or name.
show:        pivot row=block_id column=run_id value=value with=mean,spread by=metric
pages:       report 30 condition 30 compare 30 number 20
see also:    hard_topics, topic_spread, report.block_score
*/
with

usual as (
    select metric, row_number() over () as place
    from (values
        ('c_det_norm'), ('min_c_det_norm'), ('p_miss'), ('p_fa'), ('c_det_prel_norm'), ('precision'), ('recall'),
        ('f1'), ('f_beta'), ('t11su'), ('tdt5su'), ('b3_f1'), ('min_cost'), ('c_travel_norm'), ('h'), ('nelg'),
        ('latency_comprehensiveness'), ('comprehensiveness'), ('expected_latency'), ('ee'), ('n_target')
    ) as listed(metric)
),

board as (select distinct condition_id, profile_id, metric, 1 as is_primary from report.leaderboard),

direction as (select metric, min(best) as best from registry.metric group by metric),

number as (
    select
        condition_id, profile_id, metric, block_id, run_id, value, best, place, coalesce(is_primary, 0) as is_primary,
        count(distinct block_id) over (partition by condition_id, profile_id) as n_topic,
        avg(value) filter (where counts = 1) over topic as mean,
        max(value) filter (where counts = 1) over topic as highest,
        min(value) filter (where counts = 1) over topic as lowest,
        counts
    from report.block_score
    left join usual using (metric)
    left join board using (condition_id, profile_id, metric)
    left join direction using (metric)
    left join (select condition_id, run_id, 1 as counts from registry.counted_run) as counted
        using (condition_id, run_id)
    where subset = 'all'
        and run_id = coalesce($run, run_id)
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
        and metric = coalesce($metric, metric)
        and ($metric is not null or place is not null or is_primary = 1 or starts_with(metric, 'own:'))
    window topic as (partition by condition_id, profile_id, metric, block_id)
)

select
    condition_id, profile_id, metric, block_id, mean, highest - lowest as spread, run_id, value,
    case
        when counts = 1 and highest > lowest
            and value = case best when 'highest' then highest when 'lowest' then lowest end then 1
        else 0
    end as is_best
from number
where n_topic > 1
    and block_id = coalesce($topic, block_id)
order by
    condition_id, profile_id, is_primary desc, place nulls last, metric, try_cast(block_id as bigint) nulls last,
    block_id, run_id
