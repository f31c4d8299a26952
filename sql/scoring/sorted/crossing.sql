/*
title:  The rows of metric.verification_crossing__v1, of scores that were sorted
*/
select
    cast(run_no as integer) as run_no, cast(profile_no as integer) as profile_no,
    cast(subset_no as integer) as subset_no, cast(n_target as bigint) as n_target,
    cast(n_nontarget as bigint) as n_nontarget, cast(score as double) as score,
    cast(n_target_here as bigint) as n_target_here, cast(n_nontarget_here as bigint) as n_nontarget_here,
    cast(n_miss as bigint) as n_miss, cast(n_false_alarm as bigint) as n_false_alarm,
    cast(corner_miss as bigint) as corner_miss, cast(corner_false_alarm as bigint) as corner_false_alarm,
    cast(corner_miss_above as bigint) as corner_miss_above,
    cast(corner_false_alarm_above as bigint) as corner_false_alarm_above,
    cast(n_ordered as decimal(38, 0)) as n_ordered, cast(n_ordered_stop as decimal(38, 0)) as n_ordered_stop,
    cast(hit_at_stop as double) as hit_at_stop
from scope.sorted_crossing
