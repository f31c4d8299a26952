/*
title:       Runs by rank
question:    In which order does the primary metric put the runs of each condition?
about:       runs
inputs:      report.leaderboard, report.score, registry.metric, registry.run_fact, registry.run, registry.condition,
             registry.profile
parameters:
    conditions  names  none  conditions; none: all
    profiles    names  none  scoring profiles; none: all
    subsets     names  none  subsets; none: all that are ranked
grain:       condition_id, profile_id, subset, run_id
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    task          text    task
    metric        text    primary metric of the task
    subset        key     all, or one of those that are asked for; attribute=NAME where the blocks are attributes
    weighting     text    of the number
    best          text    lowest, highest or none
    rank          count   1 is the best; equal values share a rank; NULL where undefined or withdrawn
    run_id        key     run
    value         double  the number; NULL where it is undefined
    n             count   topics that entered the mean; of scored trials the trials
    signature     text    signature of the number
    withdrawn     text    why it is not ranked
    team          text    its team, as its metadata or a label says
    alias         text    the name that tables for people show instead of the run's
    name          text    the alias, or the run's name
    title         text    condition, profile and the subset, if it is not all
    rank_text     text    the rank; a dash for a withdrawn run
    is_best       flag    1: the best of two or more
    is_enough     flag    1: subset all of at least 6 topics, whose numbers have intervals
    facts         text    that the run is withdrawn and why, and what an alias stands for, in sentences
order:       Conditions and profiles in the order in which they were loaded, subsets by name, the best run first.
edges:       What is undefined comes after what is ranked, and what is withdrawn after that.
see also:    leaderboard, report.leaderboard
*/
with

label as (
    select
        run_no, max(case when name = 'alias' then value end) as alias,
        coalesce(max(case when name = 'team' then value end), max(case when name = 'actor.team' then value end)) as team
    from registry.run_fact
    where name = 'actor.team'
        or name in ('team', 'alias') and path = ''
    group by run_no
),

direction as (select metric, min(best) as best from registry.metric group by metric),

-- in other subsets runs are ranked by the metric of their board
ranked as (
    select condition_id, profile_id, task, metric, position, run_id, value, n, signature, subset, weighting, withdrawn
    from report.leaderboard
    union all
    select
        condition_id, profile_id, task, metric,
        case
            when board.withdrawn is null then rank() over (
                partition by condition_id, profile_id, score.subset, board.withdrawn is null
                order by case when best = 'highest' then -score.value else score.value end asc nulls last
            )
        end,
        run_id, score.value, score.n, score.signature, score.subset, weighting,
        board.withdrawn
    from report.score
    join report.leaderboard as board using (condition_id, profile_id, task, metric, weighting, run_id)
    left join direction using (metric)
    where list_contains($subsets, score.subset)
        and score.subset <> 'all'
        and board.subset = 'all'
)

select
    condition_id, profile_id, ranked.task, metric, subset, weighting, coalesce(best, 'none') as best,
    case when value is not null then ranked.position end as rank, run_id, value, n, signature, withdrawn, team, alias,
    coalesce(alias, run_id) as name, concat_ws(', ', condition_id, profile_id, nullif(subset, 'all')) as title,
    case
        when withdrawn is not null then '–' when value is not null then cast(ranked.position as varchar) else ''
    end as rank_text,
    cast(
        coalesce(best, 'none') <> 'none' and withdrawn is null and value is not null and ranked.position = 1
        and count(value) filter (withdrawn is null) over board > 1 as integer
    ) as is_best,
    cast(subset = 'all' and max(n) over board >= 6 as integer) as is_enough,
    concat(
        ' Withdrawn: ' || coalesce(alias, run_id) || ' (' || withdrawn || ').',
        ' ' || alias || ' is run ' || run_id || '.'
    ) as facts
from ranked
join registry.condition using (condition_id)
join registry.profile using (profile_id)
join registry.run using (condition_no, run_id)
left join label using (run_no)
left join direction using (metric)
where ($conditions is null or list_contains($conditions, condition_id))
    and ($profiles is null or list_contains($profiles, profile_id))
    and ($subsets is null or list_contains($subsets, subset))
window board as (partition by condition_id, profile_id, subset, weighting)
order by
    condition_no, condition_id, profile_no, profile_id, subset, weighting, withdrawn is not null, value is null,
    ranked.position, run_id
