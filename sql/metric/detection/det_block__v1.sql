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
        cell.run_no as run_no,
        cell.profile_no as profile_no,
        cell.subset_no as subset_no,
        cell.block_no as block_no,
        cell.threshold as threshold,
        cell.last_score as last_score,
        cell.low_score as low_score,
        cell.n_target as n_target_here,
        cell.n_nontarget as n_nontarget_here,
        counts.n_target as n_target,
        counts.n_nontarget as n_nontarget,
        case when profile.fa_topics = 'all' or counts.n_target > 0 then 1 else 0 end as is_fa_topic,
        cast(sum(cell.n_target) over (
            partition by cell.run_no, cell.profile_no, cell.subset_no, cell.block_no
            order by cell.threshold desc
            rows between unbounded preceding and current row
        ) as bigint) as n_hit,
        cast(sum(cell.n_nontarget) over (
            partition by cell.run_no, cell.profile_no, cell.subset_no, cell.block_no
            order by cell.threshold desc
            rows between unbounded preceding and current row
        ) as bigint) as n_false_alarm
    from metric.detection_det_cell__v1 as cell
    inner join metric.detection_count__v1 as counts
        on counts.run_no = cell.run_no
        and counts.profile_no = cell.profile_no
        and counts.subset_no = cell.subset_no
        and counts.block_no = cell.block_no
    inner join registry.profile as profile
        on profile.profile_no = cell.profile_no

),

-- the rates here and at the next higher threshold
rate as (

    select
        running.run_no as run_no,
        running.profile_no as profile_no,
        running.subset_no as subset_no,
        running.block_no as block_no,
        running.threshold as threshold,
        running.last_score as last_score,
        running.low_score as low_score,
        running.n_target_here as n_target_here,
        running.n_nontarget_here as n_nontarget_here,
        running.n_target as n_target,
        running.n_nontarget as n_nontarget,
        running.is_fa_topic as is_fa_topic,
        running.n_hit as n_hit,
        running.n_false_alarm as n_false_alarm,
        case when running.n_target > 0 then cast(running.n_target - running.n_hit as double) / running.n_target end as p_miss,
        case when running.n_target > 0 then cast(running.n_target - running.n_hit + running.n_target_here as double) / running.n_target end as p_miss_above,
        case when running.n_nontarget > 0 then cast(running.n_false_alarm as double) / running.n_nontarget end as p_fa,
        case when running.n_nontarget > 0 then cast(running.n_false_alarm - running.n_nontarget_here as double) / running.n_nontarget end as p_fa_above
    from running as running

),

unit as (

    select
        rate.run_no as run_no,
        rate.profile_no as profile_no,
        rate.subset_no as subset_no,
        rate.block_no as block_no,
        rate.threshold as threshold,
        rate.last_score as last_score,
        rate.low_score as low_score,
        rate.n_target_here as n_target_here,
        rate.n_nontarget_here as n_nontarget_here,
        rate.n_target as n_target,
        rate.n_nontarget as n_nontarget,
        rate.n_hit as n_hit,
        rate.n_false_alarm as n_false_alarm,
        rate.p_miss as p_miss,
        rate.p_fa as p_fa,
        cast(floor(coalesce(rate.p_miss, 0) * 1e15 + 5e-1) as bigint) as unit_miss,
        cast(floor(coalesce(rate.p_miss_above, 0) * 1e15 + 5e-1) as bigint) as unit_miss_above,
        cast(floor(case when rate.is_fa_topic = 1 then coalesce(rate.p_fa, 0) else 0 end * 1e15 + 5e-1) as bigint) as unit_fa,
        cast(floor(case when rate.is_fa_topic = 1 then coalesce(rate.p_fa_above, 0) else 0 end * 1e15 + 5e-1) as bigint) as unit_fa_above,
        cast(floor(coalesce(rate.p_miss, 0) * 1e12 + 5e-1) as decimal(38, 0)) as fine_miss,
        cast(floor(coalesce(rate.p_miss_above, 0) * 1e12 + 5e-1) as decimal(38, 0)) as fine_miss_above,
        cast(floor(case when rate.is_fa_topic = 1 then coalesce(rate.p_fa, 0) else 0 end * 1e12 + 5e-1) as decimal(38, 0)) as fine_fa,
        cast(floor(case when rate.is_fa_topic = 1 then coalesce(rate.p_fa_above, 0) else 0 end * 1e12 + 5e-1) as decimal(38, 0)) as fine_fa_above
    from rate as rate

)

select
    unit.run_no as run_no,
    unit.profile_no as profile_no,
    unit.subset_no as subset_no,
    unit.block_no as block_no,
    unit.threshold as threshold,
    unit.last_score as last_score,
    unit.low_score as low_score,
    unit.n_target_here as n_target_here,
    unit.n_nontarget_here as n_nontarget_here,
    unit.n_target as n_target,
    unit.n_nontarget as n_nontarget,
    unit.n_hit as n_hit,
    unit.n_false_alarm as n_false_alarm,
    unit.p_miss as p_miss,
    unit.p_fa as p_fa,
    unit.unit_miss - unit.unit_miss_above as step_miss,
    unit.unit_fa - unit.unit_fa_above as step_fa,
    cast(unit.fine_miss - unit.fine_miss_above as bigint) as step_fine_miss,
    cast(unit.fine_fa - unit.fine_fa_above as bigint) as step_fine_fa,
    cast(unit.fine_miss * unit.fine_miss - unit.fine_miss_above * unit.fine_miss_above as decimal(38, 0)) as step_square_miss,
    cast(unit.fine_fa * unit.fine_fa - unit.fine_fa_above * unit.fine_fa_above as decimal(38, 0)) as step_square_fa
from unit as unit
