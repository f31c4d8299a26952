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
with

-- exact integers: n * sum of squares - square of the sum is never negative
variance as (
    select
        run_no, profile_no, subset_no, state_no as point_no, threshold, n_miss, n_false_alarm, sum_miss, sum_fa,
        sum_miss_both, sum_fa_both,
        cast(cast(n_block_miss as decimal(38, 0)) * square_miss - coarse_miss * coarse_miss as double) as spread_miss,
        cast(cast(n_block_fa as decimal(38, 0)) * square_fa - coarse_fa * coarse_fa as double) as spread_fa,
        n_target, n_nontarget, n_block_miss, n_block_fa, n_block_both, is_one_topic
    from metric.detection_det_point__v1
    join metric.detection_det_population__v1 using (run_no, profile_no, subset_no)
),

rate as (
    select
        run_no, profile_no, subset_no, 'story' as weighting, point_no, threshold, ratio(n_miss, n_target) as p_miss,
        ratio(n_false_alarm, n_nontarget) as p_fa, ratio(n_miss, n_target) as cost_p_miss,
        ratio(n_false_alarm, n_nontarget) as cost_p_fa, cast(null as double) as p_miss_se,
        cast(null as double) as p_fa_se, cast(1 as bigint) as n_block
    from variance
    union all
    select
        run_no, profile_no, subset_no, 'topic' as weighting, point_no, threshold,
        case
            when is_one_topic = 1 then ratio(n_miss, n_target)
            else mean_of_units(sum_miss, n_block_miss)
        end as p_miss,
        case
            when is_one_topic = 1 then ratio(n_false_alarm, n_nontarget)
            else mean_of_units(sum_fa, n_block_fa)
        end as p_fa,
        case
            when is_one_topic = 1 then ratio(n_miss, n_target)
            when topic_cost_minimum = 'mean_of_costs' then mean_of_units(sum_miss_both, n_block_both)
            when topic_cost_minimum = 'cost_of_means' then mean_of_units(sum_miss, n_block_miss)
        end as cost_p_miss,
        case
            when is_one_topic = 1 then ratio(n_false_alarm, n_nontarget)
            when topic_cost_minimum = 'mean_of_costs' then mean_of_units(sum_fa_both, n_block_both)
            when topic_cost_minimum = 'cost_of_means' then mean_of_units(sum_fa, n_block_fa)
        end as cost_p_fa,
        case
            when n_block_miss > 1 then sqrt(spread_miss / 1e24 / n_block_miss / (n_block_miss - 1) / n_block_miss)
        end as p_miss_se,
        case
            when n_block_fa > 1 then sqrt(spread_fa / 1e24 / n_block_fa / (n_block_fa - 1) / n_block_fa)
        end as p_fa_se,
        n_block_miss as n_block
    from variance
    join registry.profile using (profile_no)
)

select
    run_no, profile_no, subset_no, weighting, point_no, threshold, p_miss, p_fa, p_miss_se, p_fa_se,
    detection_cost(cost_p_miss, cost_p_fa, price_miss, price_fa) as c_det,
    normalised_cost(detection_cost(cost_p_miss, cost_p_fa, price_miss, price_fa), c_default) as c_det_norm,
    n_block
from rate
join base.detection_price__v1 using (profile_no)
