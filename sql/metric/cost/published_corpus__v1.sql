/*
title:    The corpora of the adaptive filtering paper, as printed
source:   The adaptive filtering paper, table 1 and section 3.3
inputs:   none
grain:    corpus
columns:
    corpus            key    corpus
    n_topic           count  topics
    n_train           count  training stories (TDT: average over the topics)
    n_test            count  test stories (TDT: average over the topics)
    mean_n_train      count  average n+ in training
    mean_n_test       count  average n+ in test
    max_n_test        count  largest n+ in test
    min_n_test        count  smallest n+ in test
    topic_per_story   ratio  topics per labelled test story
    printed_rho       ratio  rho as the text prints it; NULL where it does not
    printed_ratio     ratio  penalty ratio as the text prints it; NULL where it does not
edges:    Faults of the printed table: the training stories of TREC11 are printed 80.664 (80,664 here);
          the training and test stories of TREC10 add up to 803,791, 3,000 short of RCV1's 806,791;
          those of TREC11 to 807,083, which is more than RCV1 has.
class:    exact
see also: published_ratio__v1, corpus_table__v1
*/
select
    'TREC10' as corpus, cast(84 as bigint) as n_topic, cast(20307 as bigint) as n_train,
    cast(783484 as bigint) as n_test, 2e0 as mean_n_train, 97953e-1 as mean_n_test, cast(39448 as bigint) as max_n_test,
    cast(38 as bigint) as min_n_test, 157e-2 as topic_per_story, cast(null as double) as printed_rho,
    cast(null as double) as printed_ratio
union all
select
    'TREC11' as corpus, 50 as n_topic, 80664 as n_train, 726419 as n_test, 3e0 as mean_n_train, 378e0 as mean_n_test,
    597 as max_n_test, 198 as min_n_test, 112e-2 as topic_per_story, null as printed_rho, null as printed_ratio
union all
select
    'TDT3' as corpus, 53 as n_topic, 18738 as n_train, 37770 as n_test, 4e0 as mean_n_train, 793e-1 as mean_n_test,
    520 as max_n_test, 1 as min_n_test, 106e-2 as topic_per_story, 1e1 as printed_rho, 1e2 as printed_ratio
union all
select
    'TDT5' as corpus, 111 as n_topic, 199419 as n_train, 207991 as n_test, 1e0 as mean_n_train, 713e-1 as mean_n_test,
    710 as max_n_test, 1 as min_n_test, 101e-2 as topic_per_story, 583e-1 as printed_rho, 583e0 as printed_ratio
