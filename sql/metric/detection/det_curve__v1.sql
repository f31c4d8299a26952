/*
title:    DET curves of a run, story- and topic-weighted, with standard errors and cost
formula:  story:  p_miss = (n_target - n_hit) / n_target,  p_fa = n_false_alarm / n_nontarget
          topic:  means of the topics' rates at the same threshold
                  standard error = sqrt(sample variance over topics / number of topics)
          c_det_norm: cost of these rates (topic_cost_minimum = cost_of_means), or mean of
          the topics' costs over the topics with targets and non-targets (mean_of_costs)
source:   The 2004 TDT evaluation plan, section 5.1; TDT3eval v2.6 (det_rule = program)
inputs:   metric.detection_det_state__v1, metric.detection_det_program__v1, metric.detection_det_population__v1, registry.run, registry.profile, base.curve_request, base.detection_price__v1
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
          two moves in the same direction is left out. Kept besides, where non-targets
          of some topics cost nothing: the lowest threshold at the cost of the corner above.
class:    exact
see also: det_minimum__v1, det_block_curve__v1
*/
with

-- both rules in one shape
state as (

    select
        state.run_no as run_no,
        state.profile_no as profile_no,
        state.subset_no as subset_no,
        state.state_no as state_no,
        state.threshold as threshold,
        population.n_target - state.n_hit as n_miss,
        state.n_false_alarm as n_false_alarm,
        state.sum_miss as sum_miss,
        state.sum_fa as sum_fa,
        state.sum_miss_both as sum_miss_both,
        state.sum_fa_both as sum_fa_both,
        state.fine_miss as fine_miss,
        state.fine_fa as fine_fa,
        state.square_miss as square_miss,
        state.square_fa as square_fa
    from metric.detection_det_state__v1 as state
    inner join metric.detection_det_population__v1 as population
        on population.run_no = state.run_no
        and population.profile_no = state.profile_no
        and population.subset_no = state.subset_no
    inner join registry.profile as profile
        on profile.profile_no = state.profile_no
    inner join registry.run as run
        on run.run_no = state.run_no
    inner join base.curve_request as request
        on request.condition_no = run.condition_no
        and request.subset_no = state.subset_no
    where profile.det_rule = 'complete'
        and (
            request.all_points = 1
            or state.state_no = 0
            or state.n_nontarget_here > 0
            or state.n_nontarget_below > 0
            or state.n_target_below = 0
        )
    union all
    select
        program.run_no as run_no,
        program.profile_no as profile_no,
        program.subset_no as subset_no,
        program.state_no as state_no,
        program.threshold as threshold,
        program.n_miss as n_miss,
        program.n_false_alarm as n_false_alarm,
        program.sum_miss as sum_miss,
        program.sum_fa as sum_fa,
        program.sum_miss_both as sum_miss_both,
        program.sum_fa_both as sum_fa_both,
        program.fine_miss as fine_miss,
        program.fine_fa as fine_fa,
        program.square_miss as square_miss,
        program.square_fa as square_fa
    from metric.detection_det_program__v1 as program

),

-- exact integers: n * sum of squares - square of the sum is never negative
variance as (

    select
        state.run_no as run_no,
        state.profile_no as profile_no,
        state.subset_no as subset_no,
        state.state_no as state_no,
        state.threshold as threshold,
        state.n_miss as n_miss,
        state.n_false_alarm as n_false_alarm,
        state.sum_miss as sum_miss,
        state.sum_fa as sum_fa,
        state.sum_miss_both as sum_miss_both,
        state.sum_fa_both as sum_fa_both,
        cast(cast(population.n_block_miss as decimal(38, 0)) * state.square_miss - state.fine_miss * state.fine_miss as double) as spread_miss,
        cast(cast(population.n_block_fa as decimal(38, 0)) * state.square_fa - state.fine_fa * state.fine_fa as double) as spread_fa,
        population.n_target as n_target,
        population.n_nontarget as n_nontarget,
        population.n_block_miss as n_block_miss,
        population.n_block_fa as n_block_fa,
        population.n_block_both as n_block_both
    from state as state
    inner join metric.detection_det_population__v1 as population
        on population.run_no = state.run_no
        and population.profile_no = state.profile_no
        and population.subset_no = state.subset_no

),

rate as (

    select
        variance.run_no as run_no,
        variance.profile_no as profile_no,
        variance.subset_no as subset_no,
        'story' as weighting,
        variance.state_no as point_no,
        variance.threshold as threshold,
        case when variance.n_target > 0 then cast(variance.n_miss as double) / variance.n_target end as p_miss,
        case when variance.n_nontarget > 0 then cast(variance.n_false_alarm as double) / variance.n_nontarget end as p_fa,
        case when variance.n_target > 0 then cast(variance.n_miss as double) / variance.n_target end as p_miss_cost,
        case when variance.n_nontarget > 0 then cast(variance.n_false_alarm as double) / variance.n_nontarget end as p_fa_cost,
        cast(null as double) as p_miss_se,
        cast(null as double) as p_fa_se,
        cast(1 as bigint) as n_block
    from variance as variance
    union all
    select
        variance.run_no as run_no,
        variance.profile_no as profile_no,
        variance.subset_no as subset_no,
        'topic' as weighting,
        variance.state_no as point_no,
        variance.threshold as threshold,
        case when variance.n_block_miss > 0 then cast(variance.sum_miss as double) / 1e15 / variance.n_block_miss end as p_miss,
        case when variance.n_block_fa > 0 then cast(variance.sum_fa as double) / 1e15 / variance.n_block_fa end as p_fa,
        case
            when profile.topic_cost_minimum = 'mean_of_costs' and variance.n_block_both > 0
                then cast(variance.sum_miss_both as double) / 1e15 / variance.n_block_both
            when profile.topic_cost_minimum = 'cost_of_means' and variance.n_block_miss > 0
                then cast(variance.sum_miss as double) / 1e15 / variance.n_block_miss
        end as p_miss_cost,
        case
            when profile.topic_cost_minimum = 'mean_of_costs' and variance.n_block_both > 0
                then cast(variance.sum_fa_both as double) / 1e15 / variance.n_block_both
            when profile.topic_cost_minimum = 'cost_of_means' and variance.n_block_fa > 0
                then cast(variance.sum_fa as double) / 1e15 / variance.n_block_fa
        end as p_fa_cost,
        case
            when variance.n_block_miss > 1
                then sqrt(variance.spread_miss / 1e24 / variance.n_block_miss / (variance.n_block_miss - 1) / variance.n_block_miss)
        end as p_miss_se,
        case
            when variance.n_block_fa > 1
                then sqrt(variance.spread_fa / 1e24 / variance.n_block_fa / (variance.n_block_fa - 1) / variance.n_block_fa)
        end as p_fa_se,
        variance.n_block_miss as n_block
    from variance as variance
    inner join registry.profile as profile
        on profile.profile_no = variance.profile_no

),

cost as (

    select
        rate.run_no as run_no,
        rate.profile_no as profile_no,
        rate.subset_no as subset_no,
        rate.weighting as weighting,
        rate.point_no as point_no,
        rate.threshold as threshold,
        rate.p_miss as p_miss,
        rate.p_fa as p_fa,
        rate.p_miss_se as p_miss_se,
        rate.p_fa_se as p_fa_se,
        rate.n_block as n_block,
        price.price_miss * rate.p_miss_cost + price.price_fa * rate.p_fa_cost as c_det,
        price.c_default as c_default
    from rate as rate
    inner join base.detection_price__v1 as price
        on price.profile_no = rate.profile_no

)

select
    cost.run_no as run_no,
    cost.profile_no as profile_no,
    cost.subset_no as subset_no,
    cost.weighting as weighting,
    cost.point_no as point_no,
    cost.threshold as threshold,
    cost.p_miss as p_miss,
    cost.p_fa as p_fa,
    cost.p_miss_se as p_miss_se,
    cost.p_fa_se as p_fa_se,
    cost.c_det as c_det,
    case when cost.c_default > 0 then cost.c_det / cost.c_default end as c_det_norm,
    cost.n_block as n_block
from cost as cost
