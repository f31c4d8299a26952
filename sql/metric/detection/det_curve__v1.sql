/*
title:    DET curves of a run, story- and topic-weighted, with standard errors and cost
formula:  story:  p_miss = (n_target - n_hit) / n_target,  p_fa = n_false_alarm / n_nontarget
          topic:  means of the topics' rates at the same threshold
                  standard error = sqrt(sample variance over topics / number of topics)
          c_det_norm: cost of these rates (topic_cost_minimum = cost_of_means), or mean of
          the topics' costs over the topics with targets and non-targets (mean_of_costs)
source:   The 2004 TDT evaluation plan, section 5.1; TDT3eval v2.6 (det_rule = program)
inputs:   metric.detection_det_point__v1, metric.detection_det_population__v1, registry.profile,
          base.detection_price__v1
grain:    run_no, profile_no, subset_no, weighting, point_no
columns:
    run_no      key           run
    profile_no  key           scoring profile
    subset_no   key           subset; 0 is all
    weighting   key           story or topic
    point_no    key           order along the curve
    threshold   score         lowest accepted score; NULL for reject-all; under det_rule = program the score just passed
    p_miss      ratio [0, 1]  NULL without targets
    p_fa        ratio [0, 1]  NULL without non-targets
    p_miss_se   ratio         standard error over topics; NULL for story and below 2 topics
    p_fa_se     ratio         standard error over topics; NULL for story and below 2 topics
    c_det       cost          NULL where a rate it needs is
    c_det_norm  cost          NULL where a rate it needs is
    n_block     count         topics in the mean of p_miss; 1 for story
edges:    Only corner and end points, unless all_points is requested: a point between
          two moves in the same direction is left out. Also included where non-targets
          of some topics cost nothing: the lowest threshold at the cost of the corner above.
          Where one topic has all trials its mean is its own rate: bitwise identical in both weightings.
class:    exact
see also: det_minimum__v1, det_block_curve__v1
*/
-- exact integers: n * sum of squares - square of the sum is never negative
with rate as (
    select
        *, weighting = 'story' or is_one_topic = 1 as is_pooled,
        cast(cast(n_block_miss as decimal(38, 0)) * square_miss - coarse_miss * coarse_miss as double) as spread_miss,
        cast(cast(n_block_fa as decimal(38, 0)) * square_fa - coarse_fa * coarse_fa as double) as spread_fa,
        case when is_pooled then ratio(n_miss, n_target) else mean_of_units(sum_miss, n_block_miss) end as p_miss,
        case when is_pooled then ratio(n_false_alarm, n_nontarget) else mean_of_units(sum_fa, n_block_fa) end as p_fa,
        case
            when is_pooled or topic_cost_minimum = 'cost_of_means' then p_miss
            when topic_cost_minimum = 'mean_of_costs' then mean_of_units(sum_miss_both, n_block_both)
        end as cost_p_miss,
        case
            when is_pooled or topic_cost_minimum = 'cost_of_means' then p_fa
            when topic_cost_minimum = 'mean_of_costs' then mean_of_units(sum_fa_both, n_block_both)
        end as cost_p_fa
    from metric.detection_det_point__v1 join metric.detection_det_population__v1 using (run_no, profile_no, subset_no)
    join (select profile_no, topic_cost_minimum from registry.profile) as profile using (profile_no)
    cross join (select 'story' as weighting union all select 'topic' as weighting) as weighting
)

select
    run_no, profile_no, subset_no, weighting, state_no as point_no, threshold, p_miss, p_fa,
    case
        when weighting = 'topic' and n_block_miss > 1
            then sqrt(spread_miss / 1e24 / n_block_miss / (n_block_miss - 1) / n_block_miss)
    end as p_miss_se,
    case
        when weighting = 'topic' and n_block_fa > 1
            then sqrt(spread_fa / 1e24 / n_block_fa / (n_block_fa - 1) / n_block_fa)
    end as p_fa_se,
    detection_cost(cost_p_miss, cost_p_fa, weight_miss, weight_fa) as c_det,
    normalised_cost(c_det, c_default) as c_det_norm,
    case when weighting = 'story' then 1 else n_block_miss end as n_block
from rate join base.detection_price__v1 using (profile_no)
