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
        state.run_no as run_no,
        state.profile_no as profile_no,
        state.subset_no as subset_no,
        state.threshold as threshold,
        state.n_target_here as n_target_here,
        state.n_hit as n_hit,
        state.n_false_alarm as n_false_alarm,
        state.sum_miss as sum_miss,
        state.sum_fa as sum_fa,
        state.sum_miss_both as sum_miss_both,
        state.sum_fa_both as sum_fa_both,
        state.fine_miss as fine_miss,
        state.fine_fa as fine_fa,
        state.square_miss as square_miss,
        state.square_fa as square_fa,
        state.n_nontarget_below as n_nontarget_passed,
        state.last_score_below as last_score_passed
    from metric.detection_det_state__v1 as state
    inner join registry.profile as profile
        on profile.profile_no = state.profile_no
    where profile.det_rule = 'program'
        and state.n_target_here > 0
        and state.n_false_alarm > 0

),

unit as (

    select
        target.run_no as run_no,
        target.profile_no as profile_no,
        target.subset_no as subset_no,
        target.rank_in_run as rank_in_run,
        target.block_no as block_no,
        target.score as score,
        cast(floor(case when target.n_target > 0 then cast(target.rank_in_block as double) / target.n_target end * 1e15 + 5e-1) as bigint) as unit_miss,
        cast(floor(case when target.n_target > 0 then cast(target.rank_in_block - 1 as double) / target.n_target end * 1e15 + 5e-1) as bigint) as unit_before,
        cast(floor(case when target.n_target > 0 then cast(target.rank_in_block as double) / target.n_target end * 1e12 + 5e-1) as decimal(38, 0)) as fine_miss,
        cast(floor(case when target.n_target > 0 then cast(target.rank_in_block - 1 as double) / target.n_target end * 1e12 + 5e-1) as decimal(38, 0)) as fine_before,
        case when target.n_nontarget > 0 then 1 else 0 end as has_both
    from metric.detection_target_score__v1 as target
    inner join registry.profile as profile
        on profile.profile_no = target.profile_no
    where profile.det_rule = 'program'

),

passed as (

    select
        unit.run_no as run_no,
        unit.profile_no as profile_no,
        unit.subset_no as subset_no,
        unit.rank_in_run as rank_in_run,
        unit.score as score,
        sum(cast(unit.unit_miss - unit.unit_before as decimal(38, 0))) over (
            partition by unit.run_no, unit.profile_no, unit.subset_no order by unit.rank_in_run asc
            rows between unbounded preceding and current row
        ) as sum_miss,
        sum(cast((unit.unit_miss - unit.unit_before) * unit.has_both as decimal(38, 0))) over (
            partition by unit.run_no, unit.profile_no, unit.subset_no order by unit.rank_in_run asc
            rows between unbounded preceding and current row
        ) as sum_miss_both,
        sum(cast(unit.fine_miss - unit.fine_before as decimal(38, 0))) over (
            partition by unit.run_no, unit.profile_no, unit.subset_no order by unit.rank_in_run asc
            rows between unbounded preceding and current row
        ) as fine_miss,
        sum(cast(unit.fine_miss * unit.fine_miss - unit.fine_before * unit.fine_before as decimal(38, 0))) over (
            partition by unit.run_no, unit.profile_no, unit.subset_no order by unit.rank_in_run asc
            rows between unbounded preceding and current row
        ) as square_miss
    from unit as unit

),

point as (

    select
        passed.run_no as run_no,
        passed.profile_no as profile_no,
        passed.subset_no as subset_no,
        passed.rank_in_run * 2 as position,
        passed.score as threshold,
        passed.rank_in_run as n_miss,
        before.n_false_alarm as n_false_alarm,
        passed.sum_miss as sum_miss,
        before.sum_fa as sum_fa,
        passed.sum_miss_both as sum_miss_both,
        before.sum_fa_both as sum_fa_both,
        passed.fine_miss as fine_miss,
        before.fine_fa as fine_fa,
        passed.square_miss as square_miss,
        before.square_fa as square_fa
    from passed as passed
    inner join before as before
        on before.run_no = passed.run_no
        and before.profile_no = passed.profile_no
        and before.subset_no = passed.subset_no
        and before.threshold = passed.score
    union all
    select
        before.run_no as run_no,
        before.profile_no as profile_no,
        before.subset_no as subset_no,
        (population.n_target - before.n_hit) * 2 + 1 as position,
        before.last_score_passed as threshold,
        population.n_target - before.n_hit as n_miss,
        before.n_false_alarm as n_false_alarm,
        before.sum_miss as sum_miss,
        before.sum_fa as sum_fa,
        before.sum_miss_both as sum_miss_both,
        before.sum_fa_both as sum_fa_both,
        before.fine_miss as fine_miss,
        before.fine_fa as fine_fa,
        before.square_miss as square_miss,
        before.square_fa as square_fa
    from before as before
    inner join metric.detection_det_population__v1 as population
        on population.run_no = before.run_no
        and population.profile_no = before.profile_no
        and population.subset_no = before.subset_no
    where before.n_nontarget_passed > 0

)

select
    point.run_no as run_no,
    point.profile_no as profile_no,
    point.subset_no as subset_no,
    row_number() over (
        partition by point.run_no, point.profile_no, point.subset_no order by point.position asc
    ) as state_no,
    point.threshold as threshold,
    point.n_miss as n_miss,
    point.n_false_alarm as n_false_alarm,
    point.sum_miss as sum_miss,
    point.sum_fa as sum_fa,
    point.sum_miss_both as sum_miss_both,
    point.sum_fa_both as sum_fa_both,
    point.fine_miss as fine_miss,
    point.fine_fa as fine_fa,
    point.square_miss as square_miss,
    point.square_fa as square_fa
from point as point
