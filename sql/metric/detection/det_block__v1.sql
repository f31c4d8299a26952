/*
title:    Error counts and rates of each block at each of its thresholds
formula:  Yes if score >= threshold. Going down the thresholds of the block:
              n_hit = targets at or above      n_false_alarm = non-targets at or above
              p_miss = (n_target - n_hit) / n_target       p_fa = n_false_alarm / n_nontarget
          Rates are rounded to integer multiples of 1e-15 (for means) and 1e-12 (for variances).
source:   The 2004 TDT evaluation plan, section 5.1
inputs:   metric.detection_det_cell__v1, metric.detection_trial_total__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no, threshold
columns:
    run_no            key           run
    profile_no        key           scoring profile
    subset_no         key           subset; 0 is all
    block_no          key           block (topic)
    threshold         key           lowest accepted score of any block
    last_score        score         highest score counted at this threshold
    low_score         score         lowest score of the block's own trials that is counted at this threshold
    n_target_here     count         targets counted at this threshold
    n_nontarget_here  count         non-targets counted at this threshold
    n_target          count         targets of the block
    n_nontarget       count         non-targets of the block
    n_hit             count         accepted targets
    n_false_alarm     count         accepted non-targets
    p_miss            ratio [0, 1]  NULL without targets
    p_fa              ratio [0, 1]  NULL without non-targets
    step_miss         fixed 1e-15   change of p_miss from the next higher threshold, 0 without targets
    step_fa           fixed 1e-15   change of p_fa, 0 without non-targets
    step_coarse_miss  fixed 1e-12   change of p_miss
    step_coarse_fa    fixed 1e-12   change of p_fa
    step_square_miss  fixed 1e-24   change of the square of p_miss
    step_square_fa    fixed 1e-24   change of the square of p_fa
edges:    Steps add up without rounding, so the sum over blocks at any threshold is
          the sum of the blocks' rates there, bitwise.
          Under fa_topics = with_target a block without targets takes no steps: it is
          not in the mean of p_fa.
class:    exact
see also: det_curve__v1
*/
-- n_mean_nontarget: those behind p_fa, 0 where it does not enter the mean
with running as (
    select
        cell.*, block.n_target as n_block_target, block.n_nontarget as n_block_nontarget,
        case when fa_topics = 'all' or block.n_target > 0 then block.n_nontarget else 0 end as n_mean_nontarget,
        cast(sum(cell.n_target) over down as bigint) as n_hit,
        cast(sum(cell.n_nontarget) over down as bigint) as n_false_alarm
    from metric.detection_det_cell__v1 as cell
    join metric.detection_trial_total__v1 as block using (run_no, profile_no, subset_no, block_no)
    join registry.profile using (profile_no)
    window down as (
        partition by run_no, profile_no, subset_no, block_no order by threshold desc
        rows between unbounded preceding and current row
    )
),

-- the rates here and at the next higher threshold
unit as (
    select
        *, coalesce(ratio(n_block_target - n_hit, n_block_target), 0) as miss,
        coalesce(ratio(n_block_target - n_hit + n_target, n_block_target), 0) as miss_above,
        coalesce(ratio(n_false_alarm, n_mean_nontarget), 0) as fa,
        coalesce(ratio(n_false_alarm - n_nontarget, n_mean_nontarget), 0) as fa_above,
        whole_units(miss, 1e12) as coarse_miss, whole_units(miss_above, 1e12) as coarse_miss_above,
        whole_units(fa, 1e12) as coarse_fa, whole_units(fa_above, 1e12) as coarse_fa_above
    from running
)

select
    run_no, profile_no, subset_no, block_no, threshold, last_score, low_score, n_target as n_target_here,
    n_nontarget as n_nontarget_here, n_block_target as n_target, n_block_nontarget as n_nontarget, n_hit, n_false_alarm,
    ratio(n_block_target - n_hit, n_block_target) as p_miss, ratio(n_false_alarm, n_block_nontarget) as p_fa,
    cast(whole_units(miss) - whole_units(miss_above) as bigint) as step_miss,
    cast(whole_units(fa) - whole_units(fa_above) as bigint) as step_fa,
    cast(coarse_miss - coarse_miss_above as bigint) as step_coarse_miss,
    cast(coarse_fa - coarse_fa_above as bigint) as step_coarse_fa,
    cast(coarse_miss * coarse_miss - coarse_miss_above * coarse_miss_above as decimal(38, 0)) as step_square_miss,
    cast(coarse_fa * coarse_fa - coarse_fa_above * coarse_fa_above as decimal(38, 0)) as step_square_fa
from unit
