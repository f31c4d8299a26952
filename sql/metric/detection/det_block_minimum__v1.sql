/*
title:    Minimum-cost point of each block's DET curve
formula:  The lowest c_det over the points of the block's complete curve; of the points whose
          cost agrees to 1e-12 the one with the lowest threshold.
source:   The 2004 TDT evaluation plan, section 5.1
inputs:   metric.detection_det_block_curve__v1, metric.detection_trial_total__v1, registry.run, base.curve_request
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no          key           run
    profile_no      key           scoring profile
    subset_no       key           subset; 0 is all
    block_no        key           block (topic)
    min_c_det       cost          NULL without a curve
    min_c_det_norm  cost          the same, normalised
    min_threshold   score         threshold of the point; NULL for reject-all
    min_p_miss      ratio [0, 1]  there
    min_p_fa        ratio [0, 1]  there
    n_point         count         points of the curve
metrics:
    min_c_det       n=n_point  best=lowest  Minimum detection cost
    min_c_det_norm  n=n_point  best=lowest  Minimum normalised detection cost
    min_threshold   n=n_point  best=none    Threshold of the minimum
    min_p_miss      n=n_point  best=lowest  Miss probability at the minimum
    min_p_fa        n=n_point  best=lowest  False-alarm probability at the minimum
edges:    Complete under every profile, also where the run's curve follows another rule.
class:    exact
see also: det_minimum__v1
*/
-- read twice, so made once
with point as (select *, floor(c_det * 1e12 + 5e-1) as units from metric.detection_det_block_curve__v1),

least as (
    select
        run_no, profile_no, subset_no, block_no, min(c_det) as least_c_det, min(c_det_norm) as least_c_det_norm,
        min(units) as units, count(*) as n_curve_point
    from point group by all
),

-- of the few points at that cost the last
minimum as (
    select *
    from point join least using (run_no, profile_no, subset_no, block_no, units)
    qualify row_number() over (partition by run_no, profile_no, subset_no, block_no order by point_no desc) = 1
)

select
    run_no, profile_no, subset_no, block_no, least_c_det as min_c_det, least_c_det_norm as min_c_det_norm,
    threshold as min_threshold, p_miss as min_p_miss, p_fa as min_p_fa, coalesce(n_curve_point, 0) as n_point
from metric.detection_trial_total__v1 join registry.run using (run_no)
join base.curve_request using (condition_no, subset_no)
left join minimum using (run_no, profile_no, subset_no, block_no)
