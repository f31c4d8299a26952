/*
title:    The points of TDT3eval's DET sweep
formula:  Scores are passed upwards, targets before non-targets of the same score; a
          trial is accepted if score > threshold. A point is made
              (a) after every target;
              (b) after a non-target if the next item is a target.
          The sweep ends when no target or no non-target is left.
source:   TDT3eval v2.6, Produce_trial_ensemble_DET
inputs:   metric.detection_target_score__v1, metric.detection_det_state__v1, metric.detection_det_population__v1, registry.profile
grain:    run_no, profile_no, subset_no, state_no
columns:
    run_no         key          run
    profile_no     key          scoring profile (det_rule = program)
    subset_no      key          subset; 0 is all
    state_no       key          number of the point, upwards
    threshold      score        score of the item just passed; higher scores are accepted
    n_miss         count        targets passed
    n_false_alarm  count        non-targets not yet passed
    sum_miss       fixed 1e-15  sum of p_miss over topics with targets
    sum_fa         fixed 1e-15  sum of p_fa over topics with non-targets
    sum_miss_both  fixed 1e-15  sum of p_miss over topics with both
    sum_fa_both    fixed 1e-15  sum of p_fa over topics with both
    fine_miss      fixed 1e-12  sum of p_miss, for the variance
    fine_fa        fixed 1e-12  sum of p_fa, for the variance
    square_miss    fixed 1e-24  sum of the squares of p_miss
    square_fa      fixed 1e-24  sum of the squares of p_fa
edges:    The corner after the last non-target is never made, nor reject-all: a perfect
          system has no point at all. Equal target scores of several topics are
          passed by block and trial, which the program leaves to chance.
class:    exact
see also: det_state__v1 (the complete curve)
*/
with

-- the state before the targets of one score are passed, and what was passed just before
before as (
    select
        run_no, profile_no, subset_no, threshold, n_target_here, n_hit, n_false_alarm, sum_miss, sum_fa, sum_miss_both,
        sum_fa_both, fine_miss, fine_fa, square_miss, square_fa,
        n_nontarget_below as n_nontarget_passed,
        last_score_below as last_score_passed
    from metric.detection_det_state__v1
    join registry.profile using (profile_no)
    where det_rule = 'program'
        and n_target_here > 0
        and n_false_alarm > 0
),

unit as (
    select
        run_no, profile_no, subset_no, rank_in_run, block_no, score,
        cast(floor(case when n_target > 0 then cast(rank_in_block as double) / n_target end * 1e15 + 5e-1) as bigint) as unit_miss,
        cast(floor(case when n_target > 0 then cast(rank_in_block - 1 as double) / n_target end * 1e15 + 5e-1) as bigint) as unit_before,
        cast(floor(case when n_target > 0 then cast(rank_in_block as double) / n_target end * 1e12 + 5e-1) as decimal(38, 0)) as fine_miss,
        cast(floor(case when n_target > 0 then cast(rank_in_block - 1 as double) / n_target end * 1e12 + 5e-1) as decimal(38, 0)) as fine_before,
        case when n_nontarget > 0 then 1 else 0 end as has_both
    from metric.detection_target_score__v1
    join registry.profile using (profile_no)
    where det_rule = 'program'
),

passed as (
    select
        run_no, profile_no, subset_no, rank_in_run, score,
        sum(cast(unit_miss - unit_before as decimal(38, 0))) over (
            partition by run_no, profile_no, subset_no order by rank_in_run asc
            rows between unbounded preceding and current row
        ) as sum_miss,
        sum(cast((unit_miss - unit_before) * has_both as decimal(38, 0))) over (
            partition by run_no, profile_no, subset_no order by rank_in_run asc
            rows between unbounded preceding and current row
        ) as sum_miss_both,
        sum(cast(fine_miss - fine_before as decimal(38, 0))) over (
            partition by run_no, profile_no, subset_no order by rank_in_run asc
            rows between unbounded preceding and current row
        ) as fine_miss,
        sum(cast(fine_miss * fine_miss - fine_before * fine_before as decimal(38, 0))) over (
            partition by run_no, profile_no, subset_no order by rank_in_run asc
            rows between unbounded preceding and current row
        ) as square_miss
    from unit
),

point as (
    select
        passed.run_no, passed.profile_no, passed.subset_no,
        rank_in_run * 2 as position,
        score as threshold,
        rank_in_run as n_miss,
        n_false_alarm, passed.sum_miss, sum_fa, passed.sum_miss_both, sum_fa_both, passed.fine_miss, fine_fa,
        passed.square_miss, square_fa
    from passed
    join before
        on before.run_no = passed.run_no
        and before.profile_no = passed.profile_no
        and before.subset_no = passed.subset_no
        and threshold = score
    union all
    select
        run_no, profile_no, subset_no,
        (n_target - n_hit) * 2 + 1 as position,
        last_score_passed as threshold,
        n_target - n_hit as n_miss,
        n_false_alarm, sum_miss, sum_fa, sum_miss_both, sum_fa_both, fine_miss, fine_fa, square_miss, square_fa
    from before
    join metric.detection_det_population__v1 using (run_no, profile_no, subset_no)
    where n_nontarget_passed > 0
)

select
    run_no, profile_no, subset_no,
    row_number() over (
        partition by run_no, profile_no, subset_no order by position asc
    ) as state_no,
    threshold, n_miss, n_false_alarm, sum_miss, sum_fa, sum_miss_both, sum_fa_both, fine_miss, fine_fa, square_miss,
    square_fa
from point
