/*
title:  The vertices of convex hulls of a scope under the names of run, profile and subset
*/
select
    run.condition_no, run_id, profile_id, named.subset, weighting, addition, vertex_no,
    threshold, cast(miss as double) / cast(total_target as double) as p_miss,
    cast(false_alarm as double) / cast(total_nontarget as double) as p_fa
from metric.verification_hull__v1 as point
join registry.run on run.run_no = point.run_no
join registry.profile on profile.profile_no = point.profile_no
join scope.named on named.condition_no = run.condition_no and named.subset_no = point.subset_no
