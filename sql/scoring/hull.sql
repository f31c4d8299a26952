/*
title:  The rows of metric.verification_hull__v1, of vertices that were found
*/
select
    cast(run_no as integer) as run_no, cast(profile_no as integer) as profile_no,
    cast(subset_no as integer) as subset_no, cast(weighting as varchar) as weighting,
    cast(addition as varchar) as addition, cast(vertex_no as bigint) as vertex_no,
    cast(threshold as double) as threshold, cast(miss as decimal(38, 0)) as miss,
    cast(false_alarm as decimal(38, 0)) as false_alarm, cast(total_target as decimal(38, 0)) as total_target,
    cast(total_nontarget as decimal(38, 0)) as total_nontarget
from scope.hull
