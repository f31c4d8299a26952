/*
title:    Where the convex hull of the curve has equal error rates
formula:  convex_hull: p_miss where the segment between two neighbouring vertices meets p_miss = p_fa
source:   N. Bruemmer, The BOSARIS Toolkit User Guide (2011), rocch2eer
inputs:   metric.verification_pool__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no         key           run
    profile_no     key           scoring profile
    subset_no      key           subset; 0 is all
    weighting      key           story or topic
    convex_hull    ratio [0, 1]  equal error rate of the hull, at most 1/2
    n_hull_vertex  count         vertices, both ends too
class:    exact
see also: pool__v1, eer__v1
*/
-- error rates at both ends of the pool
with rate as (
    select
        *, ratio(miss, total_target) as p_miss, ratio(miss + n_target, total_target) as p_miss_above,
        ratio(n_target, total_target) as step_miss, ratio(false_alarm, total_nontarget) as p_fa,
        ratio(false_alarm - n_nontarget, total_nontarget) as p_fa_above, ratio(n_nontarget, total_nontarget) as step_fa
    from metric.verification_pool__v1 where addition = 'none'
)

select
    run_no, profile_no, subset_no, weighting,
    max(p_miss + (p_fa - p_miss) * (step_miss / (step_miss + step_fa)))
        filter (where p_miss <= p_fa and p_miss_above > p_fa_above) as convex_hull,
    count(*) + 1 as n_hull_vertex
from rate group by all
