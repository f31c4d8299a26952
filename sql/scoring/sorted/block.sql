/*
title:  The rows of metric.detection_det_block__v1, of scores that were sorted
*/
select
    run_no, profile_no, subset_no, block_no, threshold, last_score, threshold as low_score,
    cast(n_target_here as bigint) as n_target_here, cast(n_nontarget_here as bigint) as n_nontarget_here,
    cast(n_target as bigint) as n_target, cast(n_nontarget as bigint) as n_nontarget, cast(n_hit as bigint) as n_hit,
    cast(n_false_alarm as bigint) as n_false_alarm, p_miss, p_fa,
    unit_miss - unit_miss_above as step_miss, unit_fa - unit_fa_above as step_fa,
    cast(coarse_miss - coarse_miss_above as bigint) as step_coarse_miss,
    cast(coarse_fa - coarse_fa_above as bigint) as step_coarse_fa,
    cast(
        cast(coarse_miss * coarse_miss as decimal(38, 0))
        - cast(coarse_miss_above * coarse_miss_above as decimal(38, 0)) as decimal(38, 0)
    ) as step_square_miss,
    cast(
        cast(coarse_fa * coarse_fa as decimal(38, 0)) - cast(coarse_fa_above * coarse_fa_above as decimal(38, 0))
        as decimal(38, 0)
    ) as step_square_fa
from scope.sorted_rate
