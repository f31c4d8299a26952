/*
title:    Effective cost ratio by topic: P(rel), rho, penalty ratio, optimal posterior
formula:  With n+ = n_target, N = n_target + n_nontarget, P = n+ / N and the prior p_target of the profile:
              rho                = p_target / P
              nominal_ratio      = c_miss / c_fa                      false alarms per miss, as intended
              approximate_ratio  = nominal_ratio * rho                the seed's chain, which drops
                                                                  (1 - p_target) / (1 - P)
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
    rho                ratio         how many times too likely the fixed prior takes a target to be; NULL without
                                     targets
    nominal_ratio      ratio         false alarms that a miss is meant to weigh
    approximate_ratio  ratio         false alarms per miss, approximate; NULL without targets
    exact_ratio        ratio         false alarms per miss; NULL without targets
    posterior_fixed    ratio [0, 1]  probability of relevance from which a yes pays, with the fixed prior; NULL without
                                     targets
    posterior_own      ratio [0, 1]  the same with the topic's own prior: one number for all topics
edges:    A topic without targets has no ratio: no miss can happen.
          A topic without non-targets has ratio 0 and posterior 1: no false alarm can.
class:    exact
see also: corpus_ratio__v1, filtering_own_prior_cost__v1
*/
with total as (
    select
        condition_no, profile_no, block_no, p_target, whole_sum(n_target) as targets,
        whole_sum(n_nontarget) as nontargets, ratio(c_miss, c_fa) as nominal_ratio
    from base.trial_count__v1 join registry.profile using (profile_no)
    where p_target > 0 and p_target < 1 and c_fa > 0
    group by all
)

select
    condition_no, profile_no, block_no, targets as n_target, nontargets as n_nontarget,
    ratio(targets, targets + nontargets) as p_rel, ratio(p_target, p_rel) as rho, nominal_ratio,
    nominal_ratio * ratio(p_target, p_rel) as approximate_ratio,
    ratio(nominal_ratio * ratio(p_target, 1 - p_target) * nontargets, targets) as exact_ratio,
    ratio(1, 1 + exact_ratio) as posterior_fixed, ratio(1, 1 + nominal_ratio) as posterior_own
from total
