/*
title:    Cost of log likelihood ratios after the best calibration
formula:  With t and n the shares of all targets and of all non-targets that a pool has:
              min_cllr = 1/2 (sum of t log2(1 + n / t) + sum of n log2(1 + t / n)) over the pools
source:   N. Bruemmer, J. du Preez, Application-independent evaluation of speaker detection (2006), section 5
inputs:   metric.verification_pool__v1
grain:    run_no, profile_no, subset_no, weighting, addition
columns:
    run_no      key    run
    profile_no  key    scoring profile
    subset_no   key    subset; 0 is all
    weighting   key    story or topic
    addition    key    none, or laplace
    min_cllr    ratio  bits; at most 1 without additional trials
edges:    A pool of one class costs nothing. Additional trials cost nothing themselves.
class:    libm
see also: pool__v1, calibration__v1
*/
with rate as (
    select *, ratio(n_target, total_target) as step_miss, ratio(n_nontarget, total_nontarget) as step_fa
    from metric.verification_pool__v1
),

term as (
    select
        *,
        case
            when step_miss > 0 and step_fa > 0
                then ratio(n_real_target, total_target) * (ln(1 + step_fa / step_miss) / ln(2))
            else 0e0
        end as cost_target,
        case
            when step_miss > 0 and step_fa > 0
                then ratio(n_real_nontarget, total_nontarget) * (ln(1 + step_miss / step_fa) / ln(2))
            else 0e0
        end as cost_nontarget
    from rate
)

select
    run_no, profile_no, subset_no, weighting, addition,
    (exact_sum(cost_target, 1e18) + exact_sum(cost_nontarget, 1e18)) / 2 as min_cllr
from term group by all
