/*
title:       Leaderboard
question:    What is the rank of each run of a condition by its primary metric, and which runs differ?
about:       runs
inputs:      report.leaderboard, report.interval, report.comparison, registry.metric, registry.run_fact, registry.run,
             registry.condition, registry.task
needs:       comparison, interval
parameters:
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
grain:       condition_id, profile_id, subset, run_id
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    metric        text    primary metric of the task
    subset        key     all; attribute=NAME where the blocks are attributes
    weighting     text    of the number
    run_id        key     run
    position      count   1 is the best; equal values share a position; NULL for a withdrawn run
    value         double  the number; NULL where it is undefined
    behind        double  how far from the best of the condition and profile
    low           double  lower end of its interval; of fewer than 6 topics none
    high          double  upper end
    groups        text    runs that share a letter do not differ at 5 %; NULL where not all pairs are compared
    n             count   topics that entered the mean; of scored trials the trials
    team          text    its team, as its metadata or a label says
    alias         text    the name that tables for people show instead of the run's
    withdrawn     text    why it is not ranked
    is_best       flag    1: the best one, where there are at least 6 topics to say so
    note          text    metric, weighting and direction in words
    more          text    how intervals and groups were computed
    signature     text    signature of the number
order:       Conditions in the order in which they were loaded, profiles and subsets by name, the best run first.
show:        table layout=grid note=note more=more hide=metric,subset,weighting,behind by=subset
pages:       report 10 overview 10 condition 10
edges:       Of several settings of comparisons and intervals, that nearest to the default with the most draws.
see also:    significant_differences, not_distinguishable, wins, ranks_by_metric, report.leaderboard
*/
with recursive

direction as (select metric, min(best) as best from registry.metric group by metric),

label as (
    select
        run_no, coalesce(max(case when name = 'team' then value end), max(case when name = 'actor.team' then value end))
            as team,
        max(case when name = 'alias' then value end) as alias
    from registry.run_fact
    where name = 'actor.team'
        or name in ('team', 'alias') and path = ''
    group by run_no
),

board as (
    select
        condition_no, condition_id, profile_id, metric, subset, weighting, run_id, ranked.position, value, n, withdrawn,
        signature, direction.best, decides_on, block, team, alias,
        max(n) over whole as most_n,
        count(ranked.position) over whole as n_run,
        abs(value - first_value(value) over (whole order by ranked.position nulls last, run_id)) as behind,
        row_number() over (
            whole order by case when direction.best = 'highest' then -value else value end nulls last, run_id
        ) as place
    from report.leaderboard as ranked
    join registry.condition using (condition_id)
    join registry.run using (condition_no, run_id)
    join registry.task on registry.task.task = ranked.task
    left join label using (run_no)
    left join direction using (metric)
    where condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
    window whole as (partition by condition_id, profile_id, subset)
),

ends as (
    select
        condition_id, profile_id, subset, metric, weighting, run_id, low, high,
        'Intervals: ' || interval || ' bootstrap over ' || unit || 's, ' || n_draw || ' resamples, seed ' || seed
        || '.' as interval_note
    from report.interval
    where low is not null
        and preference = 1
),

pair as (
    select
        one.condition_id, one.profile_id, one.subset, one.place, other.place as other_place, p_adjusted,
        'Groups: ' || test || ' test, ' || correction || ' correction over ' || family_size
        || case when family_size = 1 then ' test, ' else ' tests, ' end
        || printf('%g', 100 * level) || ' % ' || interval || ' interval, ' || coalesce(n_unit, '?') || ' ' || unit
        || 's, seed ' || seed || '; runs that share a letter do not differ at 5 %.' as group_note
    from report.comparison
    join board as one using (condition_id, profile_id, metric, subset, weighting, run_id)
    join board as other
        on other.condition_id = one.condition_id
            and other.profile_id = one.profile_id
            and other.subset = one.subset
            and other.run_id = baseline_id
    where p_adjusted is not null
        and preference = 1
),

different as (
    select
        condition_id, profile_id, subset, place, list(other_place) as others,
        row_number() over (partition by condition_id, profile_id, subset order by place) as step
    from pair
    where p_adjusted < 0.05
    group by condition_id, profile_id, subset, place
),

compared as (
    select
        condition_id, profile_id, subset, list(distinct place order by place) as places, min(group_note) as group_note
    from (
        select condition_id, profile_id, subset, unnest([place, other_place]) as place, group_note
        from pair
    )
    group by all
),

-- a run splits the sets that have it and others that differ from it; sets within others are redundant (Piepho, 2004)
split as (
    select condition_id, profile_id, subset, cast(0 as bigint) as step, [places] as sets
    from compared
    union all
    select
        condition_id, profile_id, subset, step,
        list_filter(halves, lambda one: len(list_filter(halves, lambda two: list_has_all(two, one))) = 1) as sets
    from (
        select
            split.condition_id, split.profile_id, split.subset, different.step,
            list_distinct(flatten(list_transform(sets, lambda one: case
                when list_contains(one, place) and list_has_any(one, others) then [
                    list_filter(one, lambda x: x <> place), list_filter(one, lambda x: not list_contains(others, x))
                ]
                else [one]
            end))) as halves
        from split
        join different
            on different.condition_id = split.condition_id
                and different.profile_id = split.profile_id
                and different.subset = split.subset
                and different.step = split.step + 1
    ) as halved
),

letter as (
    select
        condition_id, profile_id, subset, members,
        row_number() over (partition by condition_id, profile_id, subset order by members) - 1 as number
    from (
        select condition_id, profile_id, subset, unnest(sets) as members
        from split
        qualify step = max(step) over (partition by condition_id, profile_id, subset)
    )
),

grouped as (
    select
        condition_id, profile_id, subset, unnest(members) as place,
        chr(cast(97 + number % 26 as integer)) || case when number >= 26 then cast(number // 26 as varchar) else '' end
            as name,
        number
    from letter
),

named as (
    select condition_id, profile_id, subset, place, string_agg(name, '' order by number) as groups
    from grouped
    group by all
)

select
    condition_id, profile_id, metric, subset, weighting, run_id, position, value, behind, low, high, groups, n, team,
    alias, withdrawn, case when position = 1 and n_run > 1 and most_n >= 6 then 1 else 0 end as is_best,
    concat_ws(
        ' ',
        concat_ws(
            ', ',
            case
                when decides_on <> 'trial' then metric
                when metric = 'min_c_det_norm' then 'minDCF'
                when metric = 'act_c_det_norm' then 'actDCF'
                when metric = 'eer' then 'EER'
                when metric = 'cllr' then 'Cllr'
                else metric
            end,
            nullif(subset, 'all'),
            case
                when decides_on = 'trial' and weighting = 'story' then 'pooled over trials'
                when block = 'item' and weighting = 'topic' then 'mean over items'
                when block = 'block' then if(weighting = 'topic', 'mean over blocks', 'over all blocks together')
                else weighting || '-weighted'
            end,
            case best when 'lowest' then 'lower is better' when 'highest' then 'higher is better' end
        ) || '.',
        case when most_n < 6 then 'n = ' || most_n || ': too few for a reliable ranking.' end
    ) as note,
    nullif(concat_ws(
        ' ', max(group_note) over (partition by condition_id, profile_id, subset),
        max(interval_note) over (partition by condition_id, profile_id, subset)
    ), '') as more,
    signature
from board
left join ends using (condition_id, profile_id, subset, metric, weighting, run_id)
left join named using (condition_id, profile_id, subset, place)
left join compared using (condition_id, profile_id, subset)
order by condition_no, condition_id, profile_id, subset, position nulls last, value is null, run_id
