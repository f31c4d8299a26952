/*
title:       Subsets on which a run does worst
question:    On which attack, codec, gender, ... is each run worst, and how much does that differ from all trials?
about:       trials
inputs:      report.score, base.subset, registry.condition, registry.metric
parameters:
    run        run        none   one run; none: all
    condition  condition  none   one condition; none: all
    profile    profile    none   one scoring profile; none: all
    metric     metric     eer    the metric to show
    attribute  attribute  none   one attribute of the key, as codec; none: all
    weighting  weighting  story  story: all trials together; topic: mean over blocks
grain:       condition_id, profile_id, run_id, subset
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    run_id        key     run
    position      count   1 is the worst subset of the run; equal values share a position
    subset        key     attack=A07, codec=C01, ...
    value         double  the number; NULL where it is undefined
    whole         double  the number over all trials
    difference    double  value - whole
    n             count   trials behind it, or blocks
order:       Conditions, profiles and runs by name, the worst subset first.
edges:       Subsets restrict one class alone where the other lacks the attribute: base.subset says so.
see also:    runs_by_subset, calibration_by_subset, report.score
*/
with

better as (
    select metric, min(best) as best
    from registry.metric
    group by metric
),

number as (
    select
        score.condition_id, profile_id, run_id, subset, kind, value, n,
        case when best = 'highest' then -value else value end as badness
    from report.score
    join registry.condition using (condition_id)
    join base.subset using (condition_no, subset)
    join better using (metric)
    where metric = $metric
        and weighting = $weighting
        and run_id = coalesce($run, run_id)
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
)

select
    condition_id, profile_id, run_id,
    rank() over (
        partition by condition_id, profile_id, run_id
        order by number.badness desc nulls last
    ) as position,
    number.subset, number.value,
    everything.value as whole,
    number.value - everything.value as difference,
    number.n
from number
join number as everything using (condition_id, profile_id, run_id)
where everything.kind = 'all'
    and (number.kind like 'attribute%' or number.kind = 'product')
    and starts_with(number.subset, coalesce($attribute || '=', ''))
order by condition_id, profile_id, run_id, position, number.subset
