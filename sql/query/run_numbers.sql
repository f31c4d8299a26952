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
    metrics     names  none  metrics; none: the summary of the task
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
    signed        text    the number in words, and its signature
    name          text    the run, and whether it is withdrawn
    task          text    task
    withdrawn     text    why the run is not ranked
    metric_no     count   order of the metrics: as they are named, or as the summaries of the tasks have them
    is_shown      flag    0: what only a program reads: a metric that no run of the board has, and no missing samples
    setting       text    condition, profile and what all its numbers that are shown have in common, in words
    direction     text    lower or higher is better, after a comma; nothing where neither is, or metrics differ
    missing       text    which numbers of which runs are NULL for the same reason, a sentence
    gone          text    that the run is withdrawn, a sentence
order:       Conditions and profiles by name; subsets and runs as they are named, else by name; metrics in their order.
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

facts as materialized (select condition_id, plan, n_block from report.condition),

number as materialized (
    select
        condition_id, profile_id, run_id, subset, metric, value, weighting, null_reason, signature, task, plan,
        summary, position, decides_on, block, primary_weighting
    from report.score
    join registry.task using (task)
    join facts using (condition_id)
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
),

-- metrics of items have the names of measures in them: a metric that begins with another one follows it
named as (
    select
        *, string_split(summary, ' ') as names, contains(summary, '{measure}') as is_measure,
        case when made_of in (select metric from number) then made_of else metric end as measure
    from (
        select distinct
            task, metric, summary, position,
            regexp_replace(metric, '\.(sd|se|se_clustered|median|var_within|var_between|sd_epoch|win_rate|n_sample|'
            || 'n_missing|n_unscored|n_error|pass_(at|hat)_[0-9]+)\z', '') as made_of
        from number
    )
),

metric_order as (
    select
        task, metric,
        coalesce(
            list_position($metrics, metric),
            10000000 * position + 1000 * case when is_measure then dense_rank() over (order by measure) else 0 end
            + list_position(names, case when is_measure then replace(metric, measure, '{measure}') else metric end)
        ) as metric_no
    from named
    where $metrics is not null
        or not (ends_with(metric, '.se') and metric || '_clustered' in (select metric from named))
),

chosen as (
    select number.*, metric_no, withdrawn, coalesce(direction.best, 'none') as best
    from number
    join metric_order using (task, metric)
    left join direction using (metric)
    left join gone using (condition_id, run_id)
    where metric_no is not null
    -- an undefined number comes last, unless its weighting was requested
    qualify row_number() over (
        partition by condition_id, profile_id, run_id, subset, metric
        order by
            value is null and $weightings is null,
            weighting <> case when decides_on = 'trial' then 'story' else primary_weighting end,
            list_position(['topic', 'topic_all', 'story', 'group', 'weight', 'none'], weighting), weighting
    ) = 1
),

-- unless requested, what is missing is shown only where something is
found as (
    select
        *,
        count(value) over metric_of_board as n_defined,
        count(*) filter ($metrics is not null or value <> 0 or not ends_with(metric, '.n_missing'))
            over metric_of_board > 0 as is_found
    from chosen
    window metric_of_board as (partition by condition_id, profile_id, metric)
),

shown as (
    select
        *,
        cast(
            is_found and (n_defined > 0 or max(n_defined) filter (is_found) over board = 0) as integer
        ) as is_shown
    from found
    window board as (partition by condition_id, profile_id)
),

setting as (
    select
        condition_id, profile_id,
        concat_ws(
            ', ', condition_id, 'profile ' || profile_id,
            case
                when (select bool_or(plan = 'required') from facts)
                    then case min(plan) when 'required' then 'required by the plan' when 'other'
                        then 'not required by the plan' end
            end,
            case when count(distinct subset) = 1 then 'subset ' || min(subset) end,
            case
                when count(distinct weighting) filter (is_used) <> 1 then null
                when min(weighting) filter (is_used) = 'none' then null
                when min(decides_on) = 'trial'
                    then case min(weighting) filter (is_used)
                        when 'story' then 'pooled over trials' when 'topic' then 'mean over blocks'
                        else min(weighting) filter (is_used)
                    end
                when min(block) = 'block'
                    then case min(weighting) filter (is_used)
                        when 'story' then 'over all blocks together' when 'topic' then 'mean over blocks'
                        else min(weighting) filter (is_used)
                    end
                when min(block) = 'item'
                    then case min(weighting) filter (is_used)
                        when 'topic' then 'mean over items'
                        when 'topic_all' then 'mean over all items, missing ones count as missing_value of the profile'
                        when 'story' then 'over samples'
                        when 'group' then 'mean over groups'
                        when 'weight' then 'weighted mean over items'
                        else min(weighting) filter (is_used)
                    end
                when min(weighting) filter (is_used) = 'topic_all' then 'mean over all topics'
                else min(weighting) filter (is_used) || '-weighted'
            end
        ) as setting,
        case
            when count(distinct best) filter (is_used) = 1
                then case min(best) filter (is_used)
                    when 'lowest' then ', lower is better' when 'highest' then ', higher is better' else ''
                end
            else ''
        end as direction
    from (select *, value is not null and is_shown = 1 as is_used from shown)
    group by condition_id, profile_id
),

lacking as (
    select
        condition_id, profile_id, null_reason,
        condition_id || ', ' || profile_id || ': no ' || array_to_string(metrics, ', ') || ' of '
        || array_to_string(runs[:3], ', ')
        || case when len(runs) > 3 then ' and ' || format('{:,}', len(runs) - 3) || ' more' else '' end
        || ': ' || null_reason || '.' as missing
    from (
        select
            condition_id, profile_id, null_reason, list(distinct metric order by metric) as metrics,
            list(distinct run_id order by run_id) as runs
        from shown
        where value is null
        group by all
    )
)

select
    condition_id, profile_id, run_id, subset, metric, value,
    case
        when withdrawn is not null or count(value) filter (withdrawn is null) over cell < 2 then 0
        when best = 'lowest' and value = min(value) filter (withdrawn is null) over cell then 1
        when best = 'highest' and value = max(value) filter (withdrawn is null) over cell then 1
        else 0
    end as is_best,
    weighting, null_reason as reason, signature,
    concat_ws(' ', condition_id, profile_id, run_id, subset, metric) || ': ' || signature as signed,
    run_id || case when withdrawn is null then '' else ' (withdrawn)' end as name, task, withdrawn, metric_no, is_shown,
    setting, direction, missing,
    condition_id || ': ' || run_id || ' is withdrawn (' || withdrawn || ').' as gone
from shown
join setting using (condition_id, profile_id)
left join lacking using (condition_id, profile_id, null_reason)
window cell as (partition by condition_id, profile_id, subset, metric)
order by
    condition_id, profile_id, list_position($subsets, subset) nulls last, subset,
    coalesce(list_position($runs, run_id), list_position($runs, condition_id || '/' || run_id)) nulls last, run_id,
    metric_no, metric
