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
        profile.profile_no as profile_no,
        corpus.corpus as corpus,
        profile.p_target as p_target,
        profile.c_miss / nullif(profile.c_fa, 0) as nominal_ratio,
        profile.c_miss / nullif(profile.c_fa, 0) * (profile.p_target / nullif(1 - profile.p_target, 0)) as odds,
        corpus.mean_n_test / nullif(corpus.n_test, 0) as p_rel,
        (corpus.n_test - corpus.mean_n_test) / nullif(corpus.mean_n_test, 0) as against,
        cast(corpus.n_test - corpus.max_n_test as double) / nullif(corpus.max_n_test, 0) as against_at_max,
        cast(corpus.n_test - corpus.min_n_test as double) / nullif(corpus.min_n_test, 0) as against_at_min,
        corpus.printed_rho as printed_rho,
        corpus.printed_ratio as printed_ratio
    from metric.cost_published_corpus__v1 as corpus
    cross join registry.profile as profile
    where profile.p_target > 0
        and profile.p_target < 1
        and profile.c_fa > 0

)

select
    ratio.profile_no as profile_no,
    ratio.corpus as corpus,
    ratio.p_rel as p_rel,
    ratio.printed_rho as printed_rho,
    case when ratio.p_rel > 0 then ratio.p_target / ratio.p_rel end as rho,
    ratio.printed_ratio as printed_ratio,
    case when ratio.p_rel > 0 then ratio.nominal_ratio * (ratio.p_target / ratio.p_rel) end as approximate_ratio,
    ratio.odds * ratio.against as exact_ratio,
    ratio.odds * ratio.against_at_max as exact_ratio_at_max,
    ratio.odds * ratio.against_at_min as exact_ratio_at_min,
    cast(1 as double) / nullif(1 + ratio.odds * ratio.against, 0) as posterior_fixed
from ratio as ratio
