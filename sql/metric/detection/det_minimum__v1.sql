/*
title:    Minimum-cost point of the DET curves of a run
formula:  The lowest c_det over the points of the curve; of the points whose cost agrees
          to 1e-12 the one with the lowest threshold.
source:   The 2004 TDT evaluation plan, section 5.1; TDT3eval v2.6 (lowest threshold wins)
inputs:   metric.detection_det_curve__v1, metric.detection_det_population__v1,
          base.curve_request, base.detection_subset__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no          key           run
    profile_no      key           scoring profile
    subset_no       key           subset; 0 is all
    weighting       key           story or topic
    min_c_det       cost          exact minimum over the points; NULL without a curve
    min_c_det_norm  cost          the same, normalised
    min_threshold   score         threshold of the point; NULL for reject-all
    min_p_miss      ratio [0, 1]  there
    min_p_fa        ratio [0, 1]  there
    n_point         count         points with a cost
    n_counted       count         topics in the mean of p_miss, or, for story, trials; 0 without a point
metrics:
    min_c_det       n=n_counted  best=lowest  Minimum detection cost
    min_c_det_norm  n=n_counted  best=lowest  Minimum normalised detection cost
    min_threshold   n=n_counted  best=none    Threshold of the minimum
    min_p_miss      n=n_counted  best=lowest  Miss probability at the minimum
    min_p_fa        n=n_counted  best=lowest  False-alarm probability at the minimum
edges:    The cost falls towards each target score, so the minimum over the corner
          points is the minimum over all thresholds.
          Reject-all counts as the highest threshold. Of points of the program's sweep
          at one threshold and cost the first is used, as in the program.
          Where non-targets of some topics cost nothing (topics without targets, under
          fa_topics = with_target or topic_cost_minimum = mean_of_costs) the point is the lowest
          threshold that costs so much, which need not be a corner.
class:    exact
see also: det_curve__v1
*/
-- read twice, so made once
with point as (
    select *, floor(c_det * 1e12 + 5e-1) as units from metric.detection_det_curve__v1 where c_det is not null
),

least as (
    select
        run_no, profile_no, subset_no, weighting, min(c_det) as least_c_det, min(c_det_norm) as least_c_det_norm,
        min(units) as units, count(*) as n_curve_point
    from point group by all
),

-- of the few points at that cost the lowest
minimum as (
    select *
    from point join least using (run_no, profile_no, subset_no, weighting, units)
    qualify
        row_number() over (
            partition by run_no, profile_no, subset_no, weighting order by threshold asc nulls last, point_no asc
        ) = 1
)

select
    run_no, profile_no, subset_no, weighting, least_c_det as min_c_det, least_c_det_norm as min_c_det_norm,
    threshold as min_threshold, p_miss as min_p_miss, p_fa as min_p_fa, coalesce(n_curve_point, 0) as n_point,
    case
        when coalesce(n_curve_point, 0) = 0 then 0 when weighting = 'topic' then n_block else n_target + n_nontarget
    end as n_counted
from base.detection_subset__v1 join base.curve_request using (condition_no, subset_no)
cross join (select 'story' as weighting union all select 'topic' as weighting) as weighting
left join minimum using (run_no, profile_no, subset_no, weighting)
left join metric.detection_det_population__v1 using (run_no, profile_no, subset_no)
