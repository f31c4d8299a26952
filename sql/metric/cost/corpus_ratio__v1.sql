/*
title:    Effective cost ratio on a corpus: rho and the exact penalty ratio
formula:  As topic_ratio__v1 with the averages over the topics with targets: n+ = sum n_target / n_topic,
          N = sum n_trial / n_topic, so that P = n+ / N = sum n_target / sum n_trial.
          At the topic with the most (fewest) targets: the same with its n+ and the average N.
source:   The adaptive filtering paper, section 3.3 (rho = 9.5 for TDT3 and 58.3 for TDT5; 100:1 and 583:1 there,
          97.0:1 and 595.1:1 exactly)
inputs:   metric.cost_topic_ratio__v1, registry.profile
grain:    condition_no, profile_no
columns:
    condition_no       key           condition
    profile_no         key           scoring profile
    n_topic            count         topics with targets
    n_target           count         their scored target trials
    n_trial            count         their scored trials
    p_rel              ratio [0, 1]  P(rel) of the corpus; NULL without topics
    rho                ratio         how many times too likely the fixed prior takes a target to be
    nominal_ratio      ratio         false alarms that a miss is meant to weigh
    approximate_ratio  ratio         false alarms per miss, approximate (nominal_ratio * rho)
    exact_ratio        ratio         false alarms per miss
    exact_ratio_at_max  ratio        the same at the topic with the most targets
    exact_ratio_at_min  ratio        the same at the topic with the fewest targets
    posterior_fixed    ratio [0, 1]  probability of relevance from which a yes pays, with the fixed prior
    posterior_own      ratio [0, 1]  the same with each topic's own prior
edges:    Topics without targets are left out: they have no ratio. Compare n_topic with the topics of the condition.
class:    exact
see also: topic_ratio__v1, published_ratio__v1, corpus_table__v1
*/
with total as (
    select
        condition_no, profile_no, p_target, count(*) as n_topic, whole_sum(n_target) as targets,
        whole_sum(n_target + n_nontarget) as trials, max(n_target) as most, min(n_target) as fewest,
        max(nominal_ratio) as nominal, ratio(targets, trials) as p_rel, ratio(trials, n_topic) as mean_trials,
        nominal * ratio(p_target, 1 - p_target) as odds
    from metric.cost_topic_ratio__v1 join registry.profile using (profile_no)
    where n_target > 0
    group by condition_no, profile_no, p_target
)

select
    condition_no, profile_no, n_topic, targets as n_target, trials as n_trial, p_rel, ratio(p_target, p_rel) as rho,
    nominal as nominal_ratio, nominal * ratio(p_target, p_rel) as approximate_ratio,
    odds * ratio(trials - targets, targets) as exact_ratio,
    odds * ratio(mean_trials - most, most) as exact_ratio_at_max,
    odds * ratio(mean_trials - fewest, fewest) as exact_ratio_at_min, ratio(1, 1 + exact_ratio) as posterior_fixed,
    ratio(1, 1 + nominal) as posterior_own
from total
