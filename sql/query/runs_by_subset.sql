/*
title:       Runs compared by subset
question:    What is the score of each run in each attack, codec, gender, ..., and which run is best and worst there?
about:       trials
inputs:      report.score, base.subset, registry.metric, registry.counted_run
parameters:
    condition  condition  none   one condition; none: all
    profile    profile    none   one scoring profile; none: all
    metric     metric     eer    the metric to show
    attribute  attribute  none   one attribute of the key, as codec; none: all, and everything together
    weighting  weighting  story  story: all trials together; topic: mean over blocks
grain:       condition_id, profile_id, subset
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    subset        key     attack=A07, codec=C01, ...; all for everything together
    n_run         count   runs with a number there
    best_run      text    the best run, of several the first by name
    best          double  its number
    median        double  the median over the runs
    worst_run     text    the worst run, of several the first by name
    worst         double  its number
    runs          text    every run by name with its number: a line of the matrix
order:       Conditions, profiles and subsets by name; all first.
edges:       A matrix with a column a run: the answer of worst_subsets, one cell a row.
see also:    worst_subsets, leaderboard, report.score
*/
with

better as (
    select metric, min(best) as best
    from registry.metric
    group by metric
),

number as (
    select
        score.condition_id, profile_id, run_id, subset, kind, value,
        case when best = 'highest' then -value else value end as badness
    from report.score
    join registry.counted_run using (condition_id, run_id)
    join base.subset using (condition_no, subset)
    join better using (metric)
    where metric = $metric
        and weighting = $weighting
        and (kind like 'attribute%' or kind in ('product', 'all'))
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
        and starts_with(subset, coalesce($attribute || '=', ''))
)

select
    condition_id, profile_id, subset,
    count(value) as n_run,
    arg_min(run_id, (badness, run_id)) filter (where value is not null) as best_run,
    arg_min(value, (badness, run_id)) filter (where value is not null) as best,
    median(value) as median,
    arg_min(run_id, (-badness, run_id)) filter (where value is not null) as worst_run,
    arg_min(value, (-badness, run_id)) filter (where value is not null) as worst,
    string_agg(run_id || ' ' || coalesce(format('{:.4f}', value), 'undefined'), ', ' order by run_id) as runs
from number
group by condition_id, profile_id, subset
order by condition_id, profile_id, subset <> 'all', subset
