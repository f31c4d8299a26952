/*
title:       Score distributions
question:    How are the scores of targets and of non-targets distributed, and which distributions fit them?
about:       curves
inputs:      base.scored_decision__v1, report.score_distribution, registry.run, registry.condition, registry.profile,
             registry.task
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
grain:       condition_id, profile_id, run_id, series, mark, score
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    run_id        key    run
    series        key    target or non-target; of thresholds their name
    mark          key    area (a bin of scores), line (fitted density) or vertical (a threshold)
    score         key    where the bin begins, the point of the density, the threshold
    share         ratio  share of the class in the bin; of a density what it gives a bin
    until         score  where the bin ends
order:       Conditions, profiles and runs by name; bins, then densities, then thresholds.
show:        xy x=score y=share until=until series=series mark=mark panel=run_id zero=y size=300x170
pages:       report 50 run 30
edges:       40 bins of equal width; the outermost thousandth of the scores on either side is in the bins at the ends.
             Of a run with more than a million scores every k-th. Solid: targets; dashed: non-targets. Thin lines: the
             best-fitting Gaussian and exponential. Vertical: fitted threshold, best threshold on the data, upper limit
             of the model. Keys of scored trials have score_shapes.
see also:    score_shapes, report.score_distribution
*/
with

trial as (
    select condition_id, profile_id, run_id, run_no, profile_no, is_target, score
    from base.scored_decision__v1
    join registry.run using (run_no)
    join registry.condition using (condition_no)
    join registry.profile using (profile_no)
    join registry.task using (task)
    where decides_on <> 'trial'
        and trial_no % greatest(1, cast(ceil(n_row / 1e6) as bigint)) = 0
        and isfinite(score)
        and abs(score) <> 9e99
        and run_id = coalesce($run, run_id)
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
),

ends as (
    select
        condition_id, profile_id, run_id, quantile_disc(score, 0.001) as least, quantile_disc(score, 0.999) as most,
        case when least < most then least else least - 0.5 end as low,
        case when least < most then most else most + 0.5 end as high,
        (high - low) / 40 as step
    from trial
    group by all
),

counted as (
    select
        condition_id, profile_id, run_id, is_target, low, step,
        cast(least(greatest(floor((score - low) / step), 0), 39) as bigint) as bin_no, count(*) as n
    from trial
    join ends using (condition_id, profile_id, run_id)
    group by all
),

fit as (
    select
        condition_id, profile_id, run_id, low, high, step, on_mean, on_sd, off_rate, off_origin, fitted_threshold,
        best_threshold, upper_crossing
    from report.score_distribution
    join ends using (condition_id, profile_id, run_id)
    where block_id is null
        and prior = 'fixed'
        and on_mean is not null
        and off_rate is not null
),

point as (
    select *, low + (high - low) * place / 60 as score
    from fit
    cross join (select unnest(range(0, 61)) as place)
),

drawn as (
    select
        condition_id, profile_id, run_id, case is_target when 1 then 'target' else 'non-target' end as series,
        'area' as mark, 0 as layer, low + step * bin_no as score,
        n / sum(n) over (partition by condition_id, profile_id, run_id, is_target) as share,
        low + step * (bin_no + 1) as until
    from counted
    union all
    select
        condition_id, profile_id, run_id, 'target', 'line', 1, score,
        step * exp(-power((score - on_mean) / on_sd, 2) / 2) / (on_sd * sqrt(2 * pi())), null
    from point
    where on_sd > 0
    union all
    select
        condition_id, profile_id, run_id, 'non-target', 'line', 1, score,
        case when score < off_origin then 0 else step * off_rate * exp(-off_rate * (score - off_origin)) end, null
    from point
    union all
    select condition_id, profile_id, run_id, name, 'vertical', 2, threshold, 0, null
    from (
        select condition_id, profile_id, run_id, low, high, 'fitted threshold' as name, fitted_threshold as threshold
        from fit
        union all
        select condition_id, profile_id, run_id, low, high, 'best threshold on the data', best_threshold from fit
        union all
        select condition_id, profile_id, run_id, low, high, 'upper limit of the model', upper_crossing from fit
    )
    where threshold between low and high
)

select condition_id, profile_id, run_id, series, mark, score, share, until
from drawn
order by condition_id, profile_id, run_id, layer, series, mark, score
