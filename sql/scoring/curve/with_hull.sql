/*
title:  The curves of a scope, with the total numbers of trials
*/
select
    point.run_no, point.profile_no, point.subset_no, point.weighting, point.total_target, point.total_nontarget,
    profile.min_cllr
from metric.verification_weighted_point__v1 as point
join registry.profile on profile.profile_no = point.profile_no
where point.point_no = 0
order by all
