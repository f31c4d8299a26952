/*
title:       Runs with one number for each metric
question:    Which number of each metric does a table of runs and metrics show?
about:       runs
inputs:      report.score, report.condition, registry.task, registry.metric, registry.withdrawal, registry.run,
             registry.condition
parameters:
    runs        names  none  RUN or CONDITION/RUN; none: all
    conditions  names  none  conditions; none: all
    profiles    names  none  scoring profiles; none: all
    metrics     names  none  metrics; none: all
    subsets     names  none  subsets; none: all, or the attributes that are the blocks of the task
    weightings  names  none  weightings; none: that of the task, else the first that has a value
grain:       condition_id, profile_id, run_id, subset, metric
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    run_id        key     run
    subset        key     subset
    metric        key     metric
    value         double  the number; NULL where it is undefined
    is_best       flag    1: no other run that is ranked is better, of two or more
    weighting     text    of the number
    reason        text    why it is NULL
    signature     text    its signature
    task          text    task
    best          text    lowest, highest or none
    plan          text    required or other, as the 2004 TDT plan says; NULL where it has none of the conditions
    withdrawn     text    why the run is not ranked
order:       Conditions and profiles by name; subsets and runs as they are named, else by name; metrics by name.
edges:       Trials without blocks have one block, whose mean is what is pooled over them: it is left out.
see also:    all_scores, summary_scores, report.score
*/
with

gone as (
    select condition_id, run_id, reason as withdrawn
    from registry.withdrawal
    join registry.run using (run_no)
    join registry.condition using (condition_no)
),

direction as (select metric, coalesce(min(best), 'none') as best from registry.metric group by metric),

chosen as (
    select
        condition_id, profile_id, run_id, subset, metric, value, weighting, null_reason, signature, score.task,
        direction.best, plan, withdrawn
    from report.score
    join registry.task using (task)
    join report.condition as facts using (condition_id)
    left join direction using (metric)
    left join gone using (condition_id, run_id)
    where ($runs is null or list_has_any($runs, [run_id, condition_id || '/' || run_id]))
        and ($conditions is null or list_contains($conditions, condition_id))
        and ($profiles is null or list_contains($profiles, profile_id))
        and ($metrics is null or list_contains($metrics, metric))
        and case
            when $subsets is null then (subset = 'all') <> (block = 'attribute') else list_contains($subsets, subset)
        end
        and ($weightings is null or list_contains($weightings, weighting))
        and (
            decides_on is distinct from 'trial' or n_block > 1 or weighting <> 'topic'
            or coalesce(list_contains($weightings, 'topic'), false)
        )
    -- an undefined number comes last, unless its weighting was requested
    qualify row_number() over (
        partition by condition_id, profile_id, run_id, subset, metric
        order by
            value is null and $weightings is null, weighting <> primary_weighting,
            list_position(['topic', 'topic_all', 'story', 'group', 'weight', 'none'], weighting), weighting
    ) = 1
)

select
    condition_id, profile_id, run_id, subset, metric, value,
    case
        when withdrawn is not null or count(value) filter (withdrawn is null) over cell < 2 then 0
        when best = 'lowest' and value = min(value) filter (withdrawn is null) over cell then 1
        when best = 'highest' and value = max(value) filter (withdrawn is null) over cell then 1
        else 0
    end as is_best,
    weighting, null_reason as reason, signature, task, coalesce(best, 'none') as best,
    case when (select bool_or(plan = 'required') from report.condition) then plan end as plan, withdrawn
from chosen
window cell as (partition by condition_id, profile_id, subset, metric)
order by
    condition_id, profile_id, list_position($subsets, subset) nulls last, subset,
    coalesce(list_position($runs, run_id), list_position($runs, condition_id || '/' || run_id)) nulls last, run_id,
    metric
