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
    exact_ratio         ratio         false alarms per miss
    exact_ratio_at_max  ratio         the same at the topic with the most targets
    exact_ratio_at_min  ratio         the same at the topic with the fewest targets
    posterior_fixed     ratio [0, 1]  probability of relevance from which a yes pays, with the fixed prior
    posterior_own       ratio [0, 1]  the same with each topic's own prior
edges:    As metric.cost_corpus_table and metric.cost_corpus_ratio.
class:    exact
see also: topic_ratio
*/
select
    condition_id, profile_id, size.n_topic, n_topic_empty, mean_train_story, mean_test_story, mean_n_train, mean_n_test,
    max_n_test, min_n_test, topic_per_story, p_rel, rho, nominal_ratio, exact_ratio, exact_ratio_at_max,
    exact_ratio_at_min, posterior_fixed, posterior_own
from metric.cost_corpus_table__v1 as size
join registry.condition using (condition_no) join registry.profile using (profile_no)
left join metric.cost_corpus_ratio__v1 using (condition_no, profile_no)
