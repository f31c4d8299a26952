/*
title:  The points of DET curves of a scope under the names of run, profile and subset
*/
select
    run.condition_no, run_id, profile_id, named.subset, weighting, threshold, p_miss, p_fa,
    p_miss_se, p_fa_se, c_det_norm, n_block, point_no
from metric.detection_det_curve__v1 as point
join registry.run on run.run_no = point.run_no
join registry.profile on profile.profile_no = point.profile_no
join scope.named on named.condition_no = run.condition_no and named.subset_no = point.subset_no
