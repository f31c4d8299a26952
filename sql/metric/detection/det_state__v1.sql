/*
title:    Story- and topic-weighted error state at every threshold, from reject-all to accept-all
formula:  Yes if score >= threshold; the first state rejects all (threshold NULL).
          Story-weighted: counts of accepted trials. Topic-weighted: sums over topics
          of p_miss and p_fa in whole numbers of 1e-15, of their squares of 1e-24.
source:   The 2004 TDT evaluation plan, section 5.1
inputs:   metric.detection_det_block__v1, metric.detection_det_population__v1
grain:    run_no, profile_no, subset_no, state_no
columns:
    run_no             key          run
    profile_no         key          scoring profile
    subset_no          key          subset; 0 is all
    state_no           key          0 is reject-all, then down the thresholds
    threshold          score        lowest accepted score; NULL for reject-all
    n_target_here      count        targets accepted first at this threshold
    n_nontarget_here   count        non-targets accepted first at this threshold
    n_target_below     count        targets counted at the next lower threshold; 0 at the last
    n_nontarget_below  count        non-targets counted at the next lower threshold; 0 at the last
    last_score_below   score        highest score counted at the next lower threshold; NULL at the last
    n_hit              count        accepted targets
    n_false_alarm      count        accepted non-targets
    sum_miss           fixed 1e-15  sum of p_miss over topics with targets
    sum_fa             fixed 1e-15  sum of p_fa over the topics of its mean
    sum_miss_both      fixed 1e-15  sum of p_miss over topics with targets and non-targets
    sum_fa_both        fixed 1e-15  sum of p_fa over topics with targets and non-targets
    coarse_miss        fixed 1e-12  sum of p_miss, for the variance
    coarse_fa          fixed 1e-12  sum of p_fa, for the variance
    square_miss        fixed 1e-24  sum of the squares of p_miss
    square_fa          fixed 1e-24  sum of the squares of p_fa
edges:    The below columns of state 0 are 0 and NULL: reject-all is always present.
          Trials without a decision are accepted only at the last state, -9e99, or never,
          as det_omitted says.
class:    exact
see also: det_curve__v1, det_program__v1
*/
-- what each threshold changes; before them reject-all, where every p_miss is 1 and every p_fa 0
with step as (
    select
        run_no, profile_no, subset_no, cast(null as double) as position, cast(null as double) as threshold,
        cast(null as double) as high_score, cast(0 as bigint) as target_here, cast(0 as bigint) as nontarget_here,
        count_units(n_block_miss) as change_miss, count_units(0) as change_fa,
        count_units(n_block_both) as change_miss_both, count_units(0) as change_fa_both,
        cast(n_block_miss as decimal(38, 0)) * 1000000000000 as change_coarse_miss, count_units(0) as change_coarse_fa,
        cast(n_block_miss as decimal(38, 0)) * 1000000000000 * 1000000000000 as change_square_miss,
        count_units(0) as change_square_fa
    from metric.detection_det_population__v1
    union all
    select
        run_no, profile_no, subset_no, -threshold as position, threshold, max(last_score) as high_score,
        whole_sum(n_target_here) as target_here, whole_sum(n_nontarget_here) as nontarget_here,
        sum(cast(step_miss as decimal(38, 0))) as change_miss, sum(cast(step_fa as decimal(38, 0))) as change_fa,
        sum(cast(case when n_nontarget > 0 then step_miss else 0 end as decimal(38, 0))) as change_miss_both,
        sum(cast(case when n_target > 0 then step_fa else 0 end as decimal(38, 0))) as change_fa_both,
        sum(cast(step_coarse_miss as decimal(38, 0))) as change_coarse_miss,
        sum(cast(step_coarse_fa as decimal(38, 0))) as change_coarse_fa, sum(step_square_miss) as change_square_miss,
        sum(step_square_fa) as change_square_fa
    from metric.detection_det_block__v1 group by run_no, profile_no, subset_no, threshold
)

select
    run_no, profile_no, subset_no, row_number() over down - 1 as state_no, threshold, target_here as n_target_here,
    nontarget_here as n_nontarget_here,
    case when threshold is null then 0 else coalesce(lead(cast(target_here as bigint)) over down, 0) end
        as n_target_below,
    case when threshold is null then 0 else coalesce(lead(cast(nontarget_here as bigint)) over down, 0) end
        as n_nontarget_below,
    case when threshold is not null then lead(cast(high_score as double)) over down end as last_score_below,
    cast(running_sum(target_here, run_no, profile_no, subset_no, position) as bigint) as n_hit,
    cast(running_sum(nontarget_here, run_no, profile_no, subset_no, position) as bigint) as n_false_alarm,
    running_sum(change_miss, run_no, profile_no, subset_no, position) as sum_miss,
    running_sum(change_fa, run_no, profile_no, subset_no, position) as sum_fa,
    running_sum(change_miss_both, run_no, profile_no, subset_no, position) as sum_miss_both,
    running_sum(change_fa_both, run_no, profile_no, subset_no, position) as sum_fa_both,
    running_sum(change_coarse_miss, run_no, profile_no, subset_no, position) as coarse_miss,
    running_sum(change_coarse_fa, run_no, profile_no, subset_no, position) as coarse_fa,
    running_sum(change_square_miss, run_no, profile_no, subset_no, position) as square_miss,
    running_sum(change_square_fa, run_no, profile_no, subset_no, position) as square_fa
from step
window down as (partition by run_no, profile_no, subset_no order by position asc nulls first)
