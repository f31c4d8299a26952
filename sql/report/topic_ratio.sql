/*
title:    Effective cost ratio by topic, with names
source:   The adaptive filtering paper, section 3.3; Manmatha, Feng, Allan, equations 5 and 7 to 9
inputs:   metric.cost_topic_ratio__v1, registry.condition, registry.profile, base.block
grain:    condition_id, profile_id, block_id
columns:
    condition_id       key           evaluation condition
    profile_id         key           scoring profile
    block_id           key           topic
    n_target           count         scored target trials
    n_nontarget        count         scored non-target trials
    p_rel              ratio [0, 1]  share of the trials that are targets; NULL without trials
    rho                ratio         how many times too likely the fixed prior takes a target to be; NULL without
                                     targets
    nominal_ratio      ratio         false alarms that a miss is meant to weigh
    approximate_ratio  ratio         false alarms per miss, approximate; NULL without targets
    exact_ratio        ratio         false alarms per miss; NULL without targets
    posterior_fixed    ratio [0, 1]  probability of relevance from which a yes pays, with the fixed prior
    posterior_own      ratio [0, 1]  the same with the topic's own prior
edges:    As metric.cost_topic_ratio.
class:    exact
see also: corpus_table
*/
select
    condition_id, profile_id, block_id, n_target, n_nontarget, p_rel, rho, nominal_ratio, approximate_ratio,
    exact_ratio, posterior_fixed, posterior_own
from metric.cost_topic_ratio__v1 join registry.condition using (condition_no) join registry.profile using (profile_no)
join base.block using (condition_no, block_no)
