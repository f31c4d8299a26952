/*
title:    What the detection cost really weighs, per topic: P(rel), rho, penalty ratio, optimal posterior
formula:  With n+ = n_target, N = n_target + n_nontarget, P = n+ / N and the prior p_target of the profile:
              rho                = p_target / P
              nominal_ratio      = c_miss / c_fa                      what one miss weighs in false alarms, as intended
              approximate_ratio  = nominal_ratio * rho                the seed's chain, which drops (1 - p_target) / (1 - P)
              exact_ratio        = nominal_ratio * p_target / (1 - p_target) * (N - n+) / n+
              posterior_fixed    = 1 / (1 + exact_ratio)              equation 5
              posterior_own      = 1 / (1 + nominal_ratio)            equations 7 to 9
source:   The adaptive filtering paper, section 3.3 (rho); Manmatha, Feng, Allan, A Critical Examination of
          TDT's Cost Function, equations 5 and 7 to 9 (posterior threshold)
inputs:   base.trial_count__v1, registry.profile
grain:    condition_no, profile_no, block_no
columns:
    condition_no       key           condition
    profile_no         key           scoring profile
    block_no           key           block (topic)
    n_target           count         scored target trials
    n_nontarget        count         scored non-target trials
    p_rel              ratio [0, 1]  share of the trials that are targets; NULL without trials
    rho                ratio         how many times too likely the fixed prior takes a target to be; NULL without targets
    nominal_ratio      ratio         false alarms that a miss is meant to weigh
    approximate_ratio  ratio         false alarms that a miss weighs, roughly; NULL without targets
    exact_ratio        ratio         false alarms that a miss weighs; NULL without targets
    posterior_fixed    ratio [0, 1]  probability of relevance from which a yes pays, with the fixed prior; NULL without targets
    posterior_own      ratio [0, 1]  the same with the topic's own prior: one number for all topics
edges:    A topic without targets has no ratio: no miss can happen.
          A topic without non-targets has ratio 0 and posterior 1: no false alarm can.
class:    exact
see also: corpus_ratio__v1, filtering_own_prior_cost__v1
*/
with

total as (

    select
        trial.condition_no as condition_no,
        trial.profile_no as profile_no,
        trial.block_no as block_no,
        cast(sum(trial.n_target) as bigint) as n_target,
        cast(sum(trial.n_nontarget) as bigint) as n_nontarget
    from base.trial_count__v1 as trial
    group by trial.condition_no, trial.profile_no, trial.block_no

),

ratio as (

    select
        total.condition_no as condition_no,
        total.profile_no as profile_no,
        total.block_no as block_no,
        total.n_target as n_target,
        total.n_nontarget as n_nontarget,
        profile.p_target as p_target,
        profile.c_miss / nullif(profile.c_fa, 0) as nominal_ratio,
        case
            when total.n_target + total.n_nontarget > 0
                then cast(total.n_target as double) / (total.n_target + total.n_nontarget)
        end as p_rel,
        case
            when total.n_target > 0
                then profile.c_miss / nullif(profile.c_fa, 0) * (profile.p_target / nullif(1 - profile.p_target, 0)) * total.n_nontarget / nullif(total.n_target, 0)
        end as exact_ratio
    from total as total
    inner join registry.profile as profile
        on profile.profile_no = total.profile_no
    where profile.p_target > 0
        and profile.p_target < 1
        and profile.c_fa > 0

)

select
    ratio.condition_no as condition_no,
    ratio.profile_no as profile_no,
    ratio.block_no as block_no,
    ratio.n_target as n_target,
    ratio.n_nontarget as n_nontarget,
    ratio.p_rel as p_rel,
    case when ratio.p_rel > 0 then ratio.p_target / ratio.p_rel end as rho,
    ratio.nominal_ratio as nominal_ratio,
    case when ratio.p_rel > 0 then ratio.nominal_ratio * (ratio.p_target / ratio.p_rel) end as approximate_ratio,
    ratio.exact_ratio as exact_ratio,
    cast(1 as double) / nullif(1 + ratio.exact_ratio, 0) as posterior_fixed,
    cast(1 as double) / nullif(1 + ratio.nominal_ratio, 0) as posterior_own
from ratio as ratio
