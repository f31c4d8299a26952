/*
title:    DET curve of each block
formula:  Yes if score >= threshold; p_miss and p_fa of the block, complete from
          reject-all (threshold NULL) to accept-all.
source:   The 2004 TDT evaluation plan, section 5.1 (a curve for each topic)
inputs:   metric.detection_det_block__v1, metric.detection_trial_total__v1, registry.run, base.curve_request,
          base.detection_price__v1
grain:    run_no, profile_no, subset_no, block_no, point_no
columns:
    run_no      key           run
    profile_no  key           scoring profile
    subset_no   key           subset; 0 is all
    block_no    key           block (topic)
    point_no    key           0 is reject-all, then down the thresholds
    threshold   score         lowest accepted score of the block's own trials; NULL for reject-all
    p_miss      ratio [0, 1]  miss probability
    p_fa        ratio [0, 1]  false-alarm probability
    c_det       cost          detection cost
    c_det_norm  cost          normalised detection cost
edges:    Blocks without targets or without non-targets have no curve.
          Corner and end points only, unless all_points is requested.
class:    exact
see also: det_curve__v1, det_block_minimum__v1
*/
-- non-targets between two targets of the block are one move
with move as (
    select
        block.*, all_points, lead(cast(n_target_here as bigint)) over down as n_target_below,
        lead(cast(n_nontarget_here as bigint)) over down as n_nontarget_below
    from metric.detection_det_block__v1 as block join registry.run using (run_no)
    join base.curve_request using (condition_no, subset_no)
    where n_target > 0 and n_nontarget > 0
    window down as (partition by run_no, profile_no, subset_no, block_no order by threshold desc)
),

-- reject-all, then corners and ends
point as (
    select run_no, profile_no, subset_no, block_no, cast(null as double) as threshold, 1e0 as p_miss, 0e0 as p_fa
    from metric.detection_trial_total__v1 join registry.run using (run_no)
    join base.curve_request using (condition_no, subset_no)
    where n_target > 0 and n_nontarget > 0
    union all
    select run_no, profile_no, subset_no, block_no, low_score as threshold, p_miss, p_fa
    from move
    where all_points = 1
        or coalesce(n_target_below, 0) + coalesce(n_nontarget_below, 0) = 0
        or not ((n_target_here = 0 and n_target_below = 0) or (n_nontarget_here = 0 and n_nontarget_below = 0))
)

select
    run_no, profile_no, subset_no, block_no,
    row_number() over (
        partition by run_no, profile_no, subset_no, block_no order by threshold desc nulls first
    ) - 1 as point_no,
    threshold, p_miss, p_fa, detection_cost(p_miss, p_fa, weight_miss, weight_fa) as c_det,
    normalised_cost(c_det, c_default) as c_det_norm
from point join base.detection_price__v1 using (profile_no)
