/*
title:    Error counts and rates of each block at each of its thresholds
formula:  Yes if score >= threshold. Going down the thresholds of the block:
              n_hit = targets at or above      n_false_alarm = non-targets at or above
              p_miss = (n_target - n_hit) / n_target       p_fa = n_false_alarm / n_nontarget
          Rates are taken to whole numbers of 1e-15 (for means) and 1e-12 (for variances).
source:   The 2004 TDT evaluation plan, section 5.1
inputs:   metric.detection_det_cell__v1, metric.detection_count__v1, registry.profile
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
    step_fine_miss    fixed 1e-12   change of p_miss
    step_fine_fa      fixed 1e-12   change of p_fa
    step_square_miss  fixed 1e-24   change of the square of p_miss
    step_square_fa    fixed 1e-24   change of the square of p_fa
edges:    Steps add up without rounding, so the sum over blocks at any threshold is
          the sum of the blocks' rates there, to the last bit.
          Under fa_topics = with_target a block without targets takes no steps: it is
          not in the mean of p_fa.
class:    exact
see also: det_curve__v1
*/
with

running as (
    select
        run_no, profile_no, subset_no, block_no, threshold, last_score, low_score,
        cell.n_target as n_target_here,
        cell.n_nontarget as n_nontarget_here,
        counts.n_target, counts.n_nontarget,
        case when fa_topics = 'all' or counts.n_target > 0 then 1 else 0 end as is_fa_topic,
        cast(sum(cell.n_target) over (
            partition by run_no, profile_no, subset_no, block_no
            order by threshold desc
            rows between unbounded preceding and current row
        ) as bigint) as n_hit,
        cast(sum(cell.n_nontarget) over (
            partition by run_no, profile_no, subset_no, block_no
            order by threshold desc
            rows between unbounded preceding and current row
        ) as bigint) as n_false_alarm
    from metric.detection_det_cell__v1 as cell
    join metric.detection_count__v1 as counts using (run_no, profile_no, subset_no, block_no)
    join registry.profile using (profile_no)
),

-- the rates here and at the next higher threshold
rate as (
    select
        run_no, profile_no, subset_no, block_no, threshold, last_score, low_score, n_target_here, n_nontarget_here,
        n_target, n_nontarget, is_fa_topic, n_hit, n_false_alarm,
        case when n_target > 0 then cast(n_target - n_hit as double) / n_target end as p_miss,
        case when n_target > 0 then cast(n_target - n_hit + n_target_here as double) / n_target end as p_miss_above,
        case when n_nontarget > 0 then cast(n_false_alarm as double) / n_nontarget end as p_fa,
        case when n_nontarget > 0 then cast(n_false_alarm - n_nontarget_here as double) / n_nontarget end as p_fa_above
    from running
),

unit as (
    select
        run_no, profile_no, subset_no, block_no, threshold, last_score, low_score, n_target_here, n_nontarget_here,
        n_target, n_nontarget, n_hit, n_false_alarm, p_miss, p_fa,
        cast(floor(coalesce(p_miss, 0) * 1e15 + 5e-1) as bigint) as unit_miss,
        cast(floor(coalesce(p_miss_above, 0) * 1e15 + 5e-1) as bigint) as unit_miss_above,
        cast(floor(case when is_fa_topic = 1 then coalesce(p_fa, 0) else 0 end * 1e15 + 5e-1) as bigint) as unit_fa,
        cast(floor(case when is_fa_topic = 1 then coalesce(p_fa_above, 0) else 0 end * 1e15 + 5e-1) as bigint) as unit_fa_above,
        cast(floor(coalesce(p_miss, 0) * 1e12 + 5e-1) as decimal(38, 0)) as fine_miss,
        cast(floor(coalesce(p_miss_above, 0) * 1e12 + 5e-1) as decimal(38, 0)) as fine_miss_above,
        cast(floor(case when is_fa_topic = 1 then coalesce(p_fa, 0) else 0 end * 1e12 + 5e-1) as decimal(38, 0)) as fine_fa,
        cast(floor(case when is_fa_topic = 1 then coalesce(p_fa_above, 0) else 0 end * 1e12 + 5e-1) as decimal(38, 0)) as fine_fa_above
    from rate
)

select
    run_no, profile_no, subset_no, block_no, threshold, last_score, low_score, n_target_here, n_nontarget_here,
    n_target, n_nontarget, n_hit, n_false_alarm, p_miss, p_fa,
    unit_miss - unit_miss_above as step_miss,
    unit_fa - unit_fa_above as step_fa,
    cast(fine_miss - fine_miss_above as bigint) as step_fine_miss,
    cast(fine_fa - fine_fa_above as bigint) as step_fine_fa,
    cast(fine_miss * fine_miss - fine_miss_above * fine_miss_above as decimal(38, 0)) as step_square_miss,
    cast(fine_fa * fine_fa - fine_fa_above * fine_fa_above as decimal(38, 0)) as step_square_fa
from unit
