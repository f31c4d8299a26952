/*
title:       Calibration loss by subset
question:    How much of a run's cost is calibration loss, and in which subsets?
about:       trials
inputs:      report.score, base.subset, registry.condition
parameters:
    run        run        none   one run; none: all
    condition  condition  none   one condition; none: all
    profile    profile    none   one scoring profile; none: all
    weighting  weighting  story  story: all trials together; topic: mean over blocks
grain:       condition_id, profile_id, run_id, subset
columns:
    condition_id      key    evaluation condition
    profile_id        key    scoring profile
    run_id            key    run
    subset            key    all; attack=A07, codec=C01, ...
    cllr              cost   bits; 1 is a system that says nothing
    min_cllr          cost   bits after the best calibration
    calibration_loss  score  bits that calibration would save
    act_c_det_norm    cost   normalised cost at the Bayes threshold
    min_c_det_norm    cost   normalised cost at the best threshold
    threshold_loss    cost   act_c_det_norm - min_c_det_norm: what the right threshold would save
order:       Conditions, profiles and runs by name, the largest loss first.
edges:       Runs whose scores are no log likelihood ratios have no cllr and are not here.
see also:    threshold_loss, worst_subsets, metric.verification_calibration
*/
with

number as (
    select
        score.condition_id, profile_id, run_id, subset,
        max(case when metric = 'cllr' then value end) as cllr,
        max(case when metric = 'min_cllr' then value end) as min_cllr,
        max(case when metric = 'calibration_loss' then value end) as calibration_loss,
        max(case when metric = 'act_c_det_norm' then value end) as act_c_det_norm,
        max(case when metric = 'min_c_det_norm' then value end) as min_c_det_norm
    from report.score
    join registry.condition using (condition_id)
    join base.subset using (condition_no, subset)
    where metric in ('cllr', 'min_cllr', 'calibration_loss', 'act_c_det_norm', 'min_c_det_norm')
        and weighting = $weighting
        and run_id = coalesce($run, run_id)
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
        and (kind like 'attribute%' or kind in ('product', 'all'))
    group by score.condition_id, profile_id, run_id, subset
)

select
    condition_id, profile_id, run_id, subset, cllr, min_cllr, calibration_loss, act_c_det_norm, min_c_det_norm,
    act_c_det_norm - min_c_det_norm as threshold_loss
from number
where cllr is not null
order by condition_id, profile_id, run_id, calibration_loss desc nulls last, subset
