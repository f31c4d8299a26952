/*
title:    DET curve of each block
formula:  Yes if score >= threshold; p_miss and p_fa of the block, complete from
          reject-all (threshold NULL) to accept-all.
source:   The 2004 TDT evaluation plan, section 5.1 (a curve for each topic)
inputs:   metric.detection_det_block__v1, metric.detection_count__v1, registry.run, base.curve_request, base.detection_price__v1
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
with

-- non-targets between two targets of the block are one move
grouped as (

    select
        block.run_no as run_no,
        block.profile_no as profile_no,
        block.subset_no as subset_no,
        block.block_no as block_no,
        block.low_score as threshold,
        block.n_target_here as n_target_here,
        block.n_nontarget_here as n_nontarget_here,
        block.p_miss as p_miss,
        block.p_fa as p_fa,
        request.all_points as all_points,
        lead(cast(block.n_target_here as bigint)) over (
            partition by block.run_no, block.profile_no, block.subset_no, block.block_no order by block.threshold desc
        ) as n_target_below,
        lead(cast(block.n_nontarget_here as bigint)) over (
            partition by block.run_no, block.profile_no, block.subset_no, block.block_no order by block.threshold desc
        ) as n_nontarget_below
    from metric.detection_det_block__v1 as block
    inner join registry.run as run
        on run.run_no = block.run_no
    inner join base.curve_request as request
        on request.condition_no = run.condition_no
        and request.subset_no = block.subset_no
    where block.n_target > 0
        and block.n_nontarget > 0

),

corner as (

    select
        grouped.run_no as run_no,
        grouped.profile_no as profile_no,
        grouped.subset_no as subset_no,
        grouped.block_no as block_no,
        grouped.threshold as threshold,
        grouped.p_miss as p_miss,
        grouped.p_fa as p_fa
    from grouped as grouped
    where grouped.all_points = 1
        or coalesce(grouped.n_target_below, 0) + coalesce(grouped.n_nontarget_below, 0) = 0
        or not (
            (grouped.n_target_here = 0 and grouped.n_target_below = 0)
            or (grouped.n_nontarget_here = 0 and grouped.n_nontarget_below = 0)
        )

),

rate as (

    select
        counts.run_no as run_no,
        counts.profile_no as profile_no,
        counts.subset_no as subset_no,
        counts.block_no as block_no,
        cast(null as double) as threshold,
        9e100 as position,
        cast(1 as double) as p_miss,
        cast(0 as double) as p_fa
    from metric.detection_count__v1 as counts
    inner join registry.run as run
        on run.run_no = counts.run_no
    inner join base.curve_request as request
        on request.condition_no = run.condition_no
        and request.subset_no = counts.subset_no
    where counts.n_target > 0
        and counts.n_nontarget > 0
    union all
    select
        corner.run_no as run_no,
        corner.profile_no as profile_no,
        corner.subset_no as subset_no,
        corner.block_no as block_no,
        corner.threshold as threshold,
        corner.threshold as position,
        corner.p_miss as p_miss,
        corner.p_fa as p_fa
    from corner as corner

),

cost as (

    select
        rate.run_no as run_no,
        rate.profile_no as profile_no,
        rate.subset_no as subset_no,
        rate.block_no as block_no,
        row_number() over (
            partition by rate.run_no, rate.profile_no, rate.subset_no, rate.block_no order by rate.position desc
        ) - 1 as point_no,
        rate.threshold as threshold,
        rate.p_miss as p_miss,
        rate.p_fa as p_fa,
        price.price_miss * rate.p_miss + price.price_fa * rate.p_fa as c_det,
        price.c_default as c_default
    from rate as rate
    inner join base.detection_price__v1 as price
        on price.profile_no = rate.profile_no

)

select
    cost.run_no as run_no,
    cost.profile_no as profile_no,
    cost.subset_no as subset_no,
    cost.block_no as block_no,
    cost.point_no as point_no,
    cost.threshold as threshold,
    cost.p_miss as p_miss,
    cost.p_fa as p_fa,
    cost.c_det as c_det,
    case when cost.c_default > 0 then cost.c_det / cost.c_default end as c_det_norm
from cost as cost
