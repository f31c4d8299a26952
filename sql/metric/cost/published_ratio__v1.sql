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
    exact_ratio        ratio         false alarms per miss
    exact_ratio_at_max  ratio        the same at the topic with the most targets
    exact_ratio_at_min  ratio        the same at the topic with the fewest targets
    posterior_fixed    ratio [0, 1]  probability of relevance from which a yes pays
edges:    The text's chain drops (1 - p_target) / (1 - P): 100:1 is 97.0:1 and 583:1 is 595.1:1.
class:    exact
see also: corpus_ratio__v1
*/
with weighed as (
    select
        corpus.*, profile_no, p_target, ratio(mean_n_test, n_test) as p_rel, ratio(c_miss, c_fa) as nominal,
        nominal * ratio(p_target, 1 - p_target) as odds
    from metric.cost_published_corpus__v1 as corpus
    cross join registry.profile
    where p_target > 0 and p_target < 1 and c_fa > 0
)

select
    profile_no, corpus, p_rel, printed_rho, ratio(p_target, p_rel) as rho, printed_ratio,
    nominal * ratio(p_target, p_rel) as approximate_ratio,
    odds * ratio(n_test - mean_n_test, mean_n_test) as exact_ratio,
    odds * ratio(n_test - max_n_test, max_n_test) as exact_ratio_at_max,
    odds * ratio(n_test - min_n_test, min_n_test) as exact_ratio_at_min, ratio(1, 1 + exact_ratio) as posterior_fixed
from weighed
