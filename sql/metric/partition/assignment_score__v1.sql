/*
title:    CEAF and the CoNLL mean of a run: over all blocks together and as means over the blocks
formula:  story: numerators and denominators added over the blocks, divided once; topic: mean of the numbers of the
          blocks that have one, F1 the mean of their F1
source:   X. Luo, On Coreference Resolution Performance Metrics (2005); S. Pradhan et al. (2014); as
          assignment_value__v1; coreference scorers add over documents (story)
inputs:   metric.partition_assignment_value__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no              key           run
    profile_no          key           scoring profile
    subset_no           key           subset; 0 is all
    weighting           key           story: all blocks together; topic: mean over the blocks
    ceaf_m_precision    ratio [0, 1]  CEAF by items: precision
    ceaf_m_recall       ratio [0, 1]  CEAF by items: recall
    ceaf_m_f1           ratio [0, 1]  CEAF by items: F1
    ceaf_e_precision    ratio [0, 1]  CEAF by clusters: precision
    ceaf_e_recall       ratio [0, 1]  CEAF by clusters: recall
    ceaf_e_f1           ratio [0, 1]  CEAF by clusters: F1
    conll_f1            ratio [0, 1]  CoNLL mean of MUC, B-CUBED and CEAF
    n_block             count         blocks; story: items
    n_ceaf_m_precision  count         blocks with ceaf_m_precision; story: items, 0 where it is NULL
    n_ceaf_m_recall     count         blocks with ceaf_m_recall; story: items, 0 where it is NULL
    n_ceaf_m_f1         count         blocks with ceaf_m_f1; story: items, 0 where it is NULL
    n_ceaf_e_precision  count         blocks with ceaf_e_precision; story: items, 0 where it is NULL
    n_ceaf_e_recall     count         blocks with ceaf_e_recall; story: items, 0 where it is NULL
    n_ceaf_e_f1         count         blocks with ceaf_e_f1; story: items, 0 where it is NULL
    n_conll_f1          count         blocks with conll_f1; story: items, 0 where it is NULL
    null_reason         text          as assignment_value__v1; topic: of some block
metrics:
    ceaf_m_precision  n=n_ceaf_m_precision  best=highest  CEAF by items: precision
    ceaf_m_recall     n=n_ceaf_m_recall     best=highest  CEAF by items: recall
    ceaf_m_f1         n=n_ceaf_m_f1         best=highest  CEAF by items: F1
    ceaf_e_precision  n=n_ceaf_e_precision  best=highest  CEAF by clusters: precision
    ceaf_e_recall     n=n_ceaf_e_recall     best=highest  CEAF by clusters: recall
    ceaf_e_f1         n=n_ceaf_e_f1         best=highest  CEAF by clusters: F1
    conll_f1          n=n_conll_f1          best=highest  CoNLL mean of MUC, B-CUBED and CEAF
edges:    Items of one block only: both weightings are the number of that block.
class:    exact
see also: assignment_value__v1, assignment_block__v1
*/
select
    run_no, profile_no, subset_no, case when block_no = 0 then 'story' else 'topic' end as weighting,
    exact_mean(ceaf_m_precision) as ceaf_m_precision, exact_mean(ceaf_m_recall) as ceaf_m_recall,
    exact_mean(ceaf_m_f1) as ceaf_m_f1, exact_mean(ceaf_e_precision) as ceaf_e_precision,
    exact_mean(ceaf_e_recall) as ceaf_e_recall, exact_mean(ceaf_e_f1) as ceaf_e_f1, exact_mean(conll_f1) as conll_f1,
    unit_count(0, block_no, n_item) as n_block, unit_count(ceaf_m_precision, block_no, n_item) as n_ceaf_m_precision,
    unit_count(ceaf_m_recall, block_no, n_item) as n_ceaf_m_recall,
    unit_count(ceaf_m_f1, block_no, n_item) as n_ceaf_m_f1,
    unit_count(ceaf_e_precision, block_no, n_item) as n_ceaf_e_precision,
    unit_count(ceaf_e_recall, block_no, n_item) as n_ceaf_e_recall,
    unit_count(ceaf_e_f1, block_no, n_item) as n_ceaf_e_f1, unit_count(conll_f1, block_no, n_item) as n_conll_f1,
    max(null_reason) as null_reason
from metric.partition_assignment_value__v1 group by all
