/*
title:    The corpus table of the adaptive filtering paper for every condition, with the penalty ratio it leads to
source:   The adaptive filtering paper, table 1 and section 3.3
inputs:   metric.cost_corpus_table__v1, metric.cost_corpus_ratio__v1, registry.condition, registry.profile
grain:    condition_id, profile_id
columns:
    condition_id        key           evaluation condition
    profile_id          key           scoring profile
    n_topic             count         topics with trials
    n_topic_empty       count         of these, topics without targets
    mean_train_story    count         stories before the test set of a topic, average
    mean_test_story     count         test stories of a topic, average
    mean_n_train        count         training stories on topic, average
    mean_n_test         count         targets in the test set, average
    max_n_test          count         targets of the topic with the most
    min_n_test          count         targets of the topic with the fewest
    topic_per_story     ratio         topics per labelled test story
    p_rel               ratio [0, 1]  P(rel) over the topics with targets; NULL without any
    rho                 ratio         how many times too likely the fixed prior takes a target to be
    nominal_ratio       ratio         false alarms that a miss is meant to weigh
    exact_ratio         ratio         false alarms that a miss weighs
    exact_ratio_at_max  ratio         the same at the topic with the most targets
    exact_ratio_at_min  ratio         the same at the topic with the fewest targets
    posterior_fixed     ratio [0, 1]  probability of relevance from which a yes pays, with the fixed prior
    posterior_own       ratio [0, 1]  the same with each topic's own prior
edges:    As metric.cost_corpus_table and metric.cost_corpus_ratio.
class:    exact
see also: topic_ratio
*/
with

ratio as (

    select
        ratio.condition_no as condition_no,
        ratio.profile_no as profile_no,
        ratio.p_rel as p_rel,
        ratio.rho as rho,
        ratio.nominal_ratio as nominal_ratio,
        ratio.exact_ratio as exact_ratio,
        ratio.exact_ratio_at_max as exact_ratio_at_max,
        ratio.exact_ratio_at_min as exact_ratio_at_min,
        ratio.posterior_fixed as posterior_fixed,
        ratio.posterior_own as posterior_own
    from metric.cost_corpus_ratio__v1 as ratio

)

select
    condition.condition_id as condition_id,
    profile.profile_id as profile_id,
    corpus.n_topic as n_topic,
    corpus.n_topic_empty as n_topic_empty,
    corpus.mean_train_story as mean_train_story,
    corpus.mean_test_story as mean_test_story,
    corpus.mean_n_train as mean_n_train,
    corpus.mean_n_test as mean_n_test,
    corpus.max_n_test as max_n_test,
    corpus.min_n_test as min_n_test,
    corpus.topic_per_story as topic_per_story,
    ratio.p_rel as p_rel,
    ratio.rho as rho,
    ratio.nominal_ratio as nominal_ratio,
    ratio.exact_ratio as exact_ratio,
    ratio.exact_ratio_at_max as exact_ratio_at_max,
    ratio.exact_ratio_at_min as exact_ratio_at_min,
    ratio.posterior_fixed as posterior_fixed,
    ratio.posterior_own as posterior_own
from metric.cost_corpus_table__v1 as corpus
inner join registry.condition as condition
    on condition.condition_no = corpus.condition_no
inner join registry.profile as profile
    on profile.profile_no = corpus.profile_no
left join ratio as ratio
    on ratio.condition_no = corpus.condition_no
    and ratio.profile_no = corpus.profile_no
