/*
title:    Pools of the best calibration of a run's scores
formula:  A pool is the group of trials between two neighbouring vertices of the hull. Its log likelihood ratio is
              ln(n_target / n_nontarget) - ln(total_target / total_nontarget)
source:   N. Bruemmer, J. du Preez, Application-independent evaluation of speaker detection (2006), section 5 (PAV)
inputs:   metric.verification_hull__v1
grain:    run_no, profile_no, subset_no, weighting, addition, pool_no
columns:
    run_no            key          run
    profile_no        key          scoring profile
    subset_no         key          subset; 0 is all
    weighting         key          story or topic
    addition          key          none, or laplace
    pool_no           key          from 1, the highest scores first
    threshold         score        lowest score of the pool
    n_target          fixed count  targets of the pool, additional ones too
    n_nontarget       fixed count  non-targets of the pool, additional ones too
    n_real_target     fixed count  targets without additional ones
    n_real_nontarget  fixed count  non-targets without additional ones
    miss              fixed count  missed targets at the pool's lower end
    false_alarm       fixed count  accepted non-targets at the pool's lower end
    total_target      fixed count  targets of the subset
    total_nontarget   fixed count  non-targets of the subset
edges:    The additional trials of laplace are in the first and the last pool, a target and a non-target each.
class:    exact
see also: hull__v1, min_cllr__v1
*/
-- n_added: additional trials of one kind in the pool
with pool as (
    select
        *, lag(cast(miss as decimal(38, 0))) over down - miss as n_target,
        false_alarm - lag(cast(false_alarm as decimal(38, 0))) over down as n_nontarget,
        lead(cast(vertex_no as bigint)) over down as vertex_below,
        case
            when addition = 'none' then 0
            when vertex_no = 1 and vertex_below is null then 2
            when vertex_no = 1 or vertex_below is null then 1
            else 0
        end as n_added
    from metric.verification_hull__v1
    window down as (partition by run_no, profile_no, subset_no, weighting, addition order by vertex_no asc)
)

select
    run_no, profile_no, subset_no, weighting, addition, vertex_no as pool_no, threshold, n_target, n_nontarget,
    n_target - n_added as n_real_target, n_nontarget - n_added as n_real_nontarget, miss, false_alarm, total_target,
    total_nontarget
from pool where vertex_no > 0
