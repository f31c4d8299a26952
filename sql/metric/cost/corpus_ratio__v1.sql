/*
title:    What the detection cost really weighs on a corpus: rho and the exact penalty ratio
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
    approximate_ratio  ratio         false alarms that a miss weighs, roughly (nominal_ratio * rho)
    exact_ratio        ratio         false alarms that a miss weighs
    exact_ratio_at_max  ratio        the same at the topic with the most targets
    exact_ratio_at_min  ratio        the same at the topic with the fewest targets
    posterior_fixed    ratio [0, 1]  probability of relevance from which a yes pays, with the fixed prior
    posterior_own      ratio [0, 1]  the same with each topic's own prior
edges:    Topics without targets are left out: they have no ratio. Compare n_topic with the topics of the condition.
class:    exact
see also: topic_ratio__v1, published_ratio__v1, corpus_table__v1
*/
with

total as (

    select
        topic.condition_no as condition_no,
        topic.profile_no as profile_no,
        cast(count(*) as bigint) as n_topic,
        cast(sum(topic.n_target) as bigint) as n_target,
        cast(sum(topic.n_target + topic.n_nontarget) as bigint) as n_trial,
        max(topic.n_target) as most,
        min(topic.n_target) as fewest,
        max(topic.nominal_ratio) as nominal_ratio
    from metric.cost_topic_ratio__v1 as topic
    where topic.n_target > 0
    group by topic.condition_no, topic.profile_no

),

ratio as (

    select
        total.condition_no as condition_no,
        total.profile_no as profile_no,
        total.n_topic as n_topic,
        total.n_target as n_target,
        total.n_trial as n_trial,
        total.nominal_ratio as nominal_ratio,
        profile.p_target as p_target,
        cast(total.n_target as double) / nullif(total.n_trial, 0) as p_rel,
        total.nominal_ratio * (profile.p_target / nullif(1 - profile.p_target, 0)) as odds,
        cast(total.n_trial - total.n_target as double) / nullif(total.n_target, 0) as against,
        (cast(total.n_trial as double) / nullif(total.n_topic, 0) - total.most) / nullif(total.most, 0) as against_at_max,
        (cast(total.n_trial as double) / nullif(total.n_topic, 0) - total.fewest) / nullif(total.fewest, 0) as against_at_min
    from total as total
    inner join registry.profile as profile
        on profile.profile_no = total.profile_no

)

select
    ratio.condition_no as condition_no,
    ratio.profile_no as profile_no,
    ratio.n_topic as n_topic,
    ratio.n_target as n_target,
    ratio.n_trial as n_trial,
    ratio.p_rel as p_rel,
    case when ratio.p_rel > 0 then ratio.p_target / ratio.p_rel end as rho,
    ratio.nominal_ratio as nominal_ratio,
    case when ratio.p_rel > 0 then ratio.nominal_ratio * (ratio.p_target / ratio.p_rel) end as approximate_ratio,
    ratio.odds * ratio.against as exact_ratio,
    ratio.odds * ratio.against_at_max as exact_ratio_at_max,
    ratio.odds * ratio.against_at_min as exact_ratio_at_min,
    cast(1 as double) / nullif(1 + ratio.odds * ratio.against, 0) as posterior_fixed,
    cast(1 as double) / nullif(1 + ratio.nominal_ratio, 0) as posterior_own
from ratio as ratio
