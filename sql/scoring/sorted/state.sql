/*
title:  The rows of metric.detection_det_state__v1, of scores that were sorted: reject-all, and then each cell
*/
select
    run_no, profile_no, subset_no, cast(0 as bigint) as state_no, cast(null as double) as threshold,
    cast(0 as bigint) as n_target_here, cast(0 as bigint) as n_nontarget_here, cast(0 as bigint) as n_target_below,
    cast(0 as bigint) as n_nontarget_below, cast(null as double) as last_score_below, cast(0 as bigint) as n_hit,
    cast(0 as bigint) as n_false_alarm, cast(1000000000000000 as decimal(38, 0)) as sum_miss,
    cast(0 as decimal(38, 0)) as sum_fa, cast(1000000000000000 as decimal(38, 0)) as sum_miss_both,
    cast(0 as decimal(38, 0)) as sum_fa_both, cast(1000000000000 as decimal(38, 0)) as coarse_miss,
    cast(0 as decimal(38, 0)) as coarse_fa, cast(1000000000000 as decimal(38, 0)) * 1000000000000 as square_miss,
    cast(0 as decimal(38, 0)) as square_fa
from scope.sorted_cell
where state_no = 1
union all
select
    run_no, profile_no, subset_no, cast(state_no as bigint), threshold, cast(n_target_here as bigint),
    cast(n_nontarget_here as bigint), cast(n_target_below as bigint), cast(n_nontarget_below as bigint),
    case when n_target_below + n_nontarget_below > 0 then score_below end, cast(n_hit as bigint),
    cast(n_false_alarm as bigint), cast(unit_miss as decimal(38, 0)), cast(unit_fa as decimal(38, 0)),
    cast(unit_miss as decimal(38, 0)), cast(unit_fa as decimal(38, 0)), coarse_miss, coarse_fa,
    cast(coarse_miss * coarse_miss as decimal(38, 0)), cast(coarse_fa * coarse_fa as decimal(38, 0))
from scope.sorted_rate
