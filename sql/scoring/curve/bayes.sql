/*
title:  The points of Bayes-error plots of a scope under the names of run, profile and subset
*/
select
    run.condition_no, run_id, profile_id, named.subset, log_odds, point.p_target, act_miss, act_fa,
    actual, minimum, default_error
from metric.verification_bayes_error__v1 as point
join registry.run on run.run_no = point.run_no
join registry.profile on profile.profile_no = point.profile_no
join scope.named on named.condition_no = run.condition_no and named.subset_no = point.subset_no
