/*
title:    The penalty ratios of the adaptive filtering paper, printed and exact
formula:  As corpus_ratio__v1, from the printed averages n+ and N of table 1.
source:   The adaptive filtering paper, table 1 and section 3.3
inputs:   metric.cost_published_corpus__v1, registry.profile
grain:    profile_no, corpus
columns:
    profile_no         key           scoring profile: the paper's costs and prior are those of tdt5
    corpus             key           corpus
    p_rel              ratio [0, 1]  P(rel) of the corpus
    printed_rho        ratio         as the text prints it
    rho                ratio         how many times too likely the fixed prior takes a target to be
    printed_ratio      ratio         as the text prints it
    approximate_ratio  ratio         what the text's chain gives before rounding (it rounds rho to 10 for TDT3)
    exact_ratio        ratio         false alarms that a miss weighs
    exact_ratio_at_max  ratio        the same at the topic with the most targets
    exact_ratio_at_min  ratio        the same at the topic with the fewest targets
    posterior_fixed    ratio [0, 1]  probability of relevance from which a yes pays
edges:    The text's chain drops (1 - p_target) / (1 - P): 100:1 is 97.0:1 and 583:1 is 595.1:1.
class:    exact
see also: corpus_ratio__v1
*/
with

ratio as (
    select
        profile_no, corpus, p_target,
        c_miss / nullif(c_fa, 0) as nominal_ratio,
        c_miss / nullif(c_fa, 0) * (p_target / nullif(1 - p_target, 0)) as odds,
        mean_n_test / nullif(n_test, 0) as p_rel,
        (n_test - mean_n_test) / nullif(mean_n_test, 0) as against,
        cast(n_test - max_n_test as double) / nullif(max_n_test, 0) as against_at_max,
        cast(n_test - min_n_test as double) / nullif(min_n_test, 0) as against_at_min,
        printed_rho, printed_ratio
    from metric.cost_published_corpus__v1
    cross join registry.profile
    where p_target > 0
        and p_target < 1
        and c_fa > 0
)

select
    profile_no, corpus, p_rel, printed_rho,
    case when p_rel > 0 then p_target / p_rel end as rho,
    printed_ratio,
    case when p_rel > 0 then nominal_ratio * (p_target / p_rel) end as approximate_ratio,
    odds * against as exact_ratio,
    odds * against_at_max as exact_ratio_at_max,
    odds * against_at_min as exact_ratio_at_min,
    cast(1 as double) / nullif(1 + odds * against, 0) as posterior_fixed
from ratio
