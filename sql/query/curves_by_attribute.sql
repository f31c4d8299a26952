/*
title:       DET curves by attribute
question:    How do the DET curves of a run differ between the values of an attribute of the trials?
about:       trials
inputs:      base.decision, base.verification_segment, base.verification_value__v1, registry.run, registry.condition
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    attribute  attribute  none  one attribute of the key; none: all of at most 20 values
grain:       condition_id, run_id, attribute, value, point_no
columns:
    condition_id  key           evaluation condition
    run_id        key           run
    attribute     key           attribute of the key
    value         key           of the attribute; a class that lacks it counts with each value
    point_no      key           order along the curve
    p_fa          ratio [0, 1]  false-alarm probability, pooled over trials
    p_miss        ratio [0, 1]  miss probability
    threshold     score         lowest accepted score
order:       Conditions, runs, attributes and values by name; points in order.
show:        xy x=p_fa y=p_miss series=value by=run_id,attribute scale=probit
    x_title=false-alarm_probability,_% y_title=miss_probability,_%
pages:       report 71 run 32
edges:       Points that a screen cannot tell apart are left out. A value that lacks targets or non-targets has no
             curve. Runs with more than a million scores are left out; `tdtsql plot det RUN --by ATTRIBUTE` draws them.
see also:    score_shapes, det_curves
*/
with

score as (
    select
        condition_id, run_id, attribute, value, score, sum(is_target) as n_target,
        sum(1 - is_target) as n_nontarget
    from base.decision
    join registry.run using (run_no)
    join registry.condition using (condition_no)
    join base.verification_segment using (condition_no, segment_no)
    join base.verification_value__v1 using (condition_no, segment_no)
    where n_row <= 1000000
        and n_value > 1
        and attribute = coalesce($attribute, attribute)
        and run_id = coalesce($run, run_id)
        and condition_id = coalesce($condition, condition_id)
    group by all
),

rate as (
    select
        condition_id, run_id, attribute, value, score as threshold,
        sum(n_nontarget) over accepted / sum(n_nontarget) over whole as p_fa,
        1 - sum(n_target) over accepted / sum(n_target) over whole as p_miss
    from score
    window
        whole as (partition by condition_id, run_id, attribute, value),
        accepted as (partition by condition_id, run_id, attribute, value order by score desc)
    qualify sum(n_nontarget) over whole > 0
        and sum(n_target) over whole > 0
),

point as (
    select
        *, row_number() over (partition by condition_id, run_id, attribute, value order by threshold desc) as point_no,
        1000 * round(8 * ln((p_fa + 1e-6) / (1 - p_fa + 1e-6)))
        + round(8 * ln((p_miss + 1e-6) / (1 - p_miss + 1e-6))) as cell
    from rate
)

select condition_id, run_id, attribute, value, point_no, p_fa, p_miss, threshold
from point
window curve as (partition by condition_id, run_id, attribute, value order by point_no)
qualify cell is distinct from lag(cell) over curve
    or cell is distinct from lead(cell) over curve
order by condition_id, run_id, attribute, value, point_no
