/*
title:    The states of a threshold that are points of a DET curve, under the profile's rule
formula:  det_rule = complete: reject-all, and the states at corners and ends of the curve.
          det_rule = program, TDT3eval's sweep: scores are passed upwards, targets before
          non-targets of the same score; a trial is accepted if score > threshold. A point is made
              (a) after every target;
              (b) after a non-target if the next item is a target.
          The sweep ends when no target or no non-target is left.
source:   The 2004 TDT evaluation plan, section 5.1; TDT3eval v2.6, Produce_trial_ensemble_DET
inputs:   metric.detection_target_score__v1, metric.detection_det_state__v1, metric.detection_det_population__v1,
          registry.run, registry.profile, base.curve_request
grain:    run_no, profile_no, subset_no, state_no
columns:
    run_no         key          run
    profile_no     key          scoring profile
    subset_no      key          subset; 0 is all
    state_no       key          order along the curve: downwards from reject-all; of program upwards
    threshold      score        lowest accepted score, NULL for reject-all; of program the score just passed
    n_miss         count        targets that are rejected
    n_false_alarm  count        non-targets that are accepted
    sum_miss       fixed 1e-15  sum of p_miss over topics with targets
    sum_fa         fixed 1e-15  sum of p_fa over topics with non-targets
    sum_miss_both  fixed 1e-15  sum of p_miss over topics with both
    sum_fa_both    fixed 1e-15  sum of p_fa over topics with both
    coarse_miss    fixed 1e-12  sum of p_miss, for the variance
    coarse_fa      fixed 1e-12  sum of p_fa, for the variance
    square_miss    fixed 1e-24  sum of the squares of p_miss
    square_fa      fixed 1e-24  sum of the squares of p_fa
edges:    With all_points = 1 every state of a complete curve is a point.
          Of program: the corner after the last non-target is never made, nor reject-all: a perfect
          system has no point at all. Equal target scores of several topics are
          passed by block and trial, which the program leaves to chance.
class:    exact
see also: det_state__v1, det_curve__v1
*/
with state as (
    select state.*, n_target, det_rule, all_points
    from metric.detection_det_state__v1 as state
    join metric.detection_det_population__v1 using (run_no, profile_no, subset_no)
    join registry.profile using (profile_no) join registry.run using (run_no)
    join base.curve_request using (condition_no, subset_no)
),

-- the state before the targets of one score are passed, and what was passed just before
before as (
    select *, threshold as score from state where det_rule = 'program' and n_target_here > 0 and n_false_alarm > 0
),

-- p_miss of the topic after and before its target
unit as (
    select
        *,
        whole_units(ratio(rank_in_block, n_target)) - whole_units(ratio(rank_in_block - 1, n_target)) as unit_step,
        whole_units(ratio(rank_in_block, n_target), 1e12) as coarse_after,
        whole_units(ratio(rank_in_block - 1, n_target), 1e12) as coarse_before,
        case when n_nontarget > 0 then unit_step else 0 end as unit_step_both
    from metric.detection_target_score__v1
),

passed as (
    select
        *, running_sum(unit_step, run_no, profile_no, subset_no, rank_in_run) as miss,
        running_sum(unit_step_both, run_no, profile_no, subset_no, rank_in_run) as miss_both,
        running_sum(coarse_after - coarse_before, run_no, profile_no, subset_no, rank_in_run) as miss_coarse,
        running_sum(
            cast(coarse_after * coarse_after - coarse_before * coarse_before as decimal(38, 0)),
            run_no, profile_no, subset_no, rank_in_run
        ) as miss_square
    from unit
),

point as (
    select
        run_no, profile_no, subset_no, rank_in_run * 2 as position, score as threshold, rank_in_run as n_miss,
        n_false_alarm, miss, sum_fa, miss_both, sum_fa_both, miss_coarse, coarse_fa, miss_square, square_fa
    from passed join before using (run_no, profile_no, subset_no, score)
    union all
    select
        run_no, profile_no, subset_no, (n_target - n_hit) * 2 + 1 as position, last_score_below as threshold,
        n_target - n_hit as n_miss, n_false_alarm, sum_miss as miss, sum_fa, sum_miss_both as miss_both, sum_fa_both,
        coarse_miss as miss_coarse, coarse_fa, square_miss as miss_square, square_fa
    from before where n_nontarget_below > 0
)

select
    run_no, profile_no, subset_no, state_no, threshold, n_target - n_hit as n_miss, n_false_alarm, sum_miss, sum_fa,
    sum_miss_both, sum_fa_both, coarse_miss, coarse_fa, square_miss, square_fa
from state
where det_rule = 'complete'
    and (all_points = 1 or state_no = 0 or n_nontarget_here > 0 or n_nontarget_below > 0 or n_target_below = 0)
union all
select
    run_no, profile_no, subset_no,
    row_number() over (partition by run_no, profile_no, subset_no order by position asc) as state_no,
    threshold, n_miss, n_false_alarm, miss as sum_miss, sum_fa, miss_both as sum_miss_both, sum_fa_both,
    miss_coarse as coarse_miss, coarse_fa, miss_square as square_miss, square_fa
from point
