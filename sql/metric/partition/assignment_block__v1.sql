/*
title:    CEAF and the CoNLL mean, block by block
formula:  as assignment_value__v1, of the blocks
source:   X. Luo, On Coreference Resolution Performance Metrics (2005); S. Pradhan et al. (2014); as
          assignment_value__v1
inputs:   metric.partition_assignment_value__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no            key           run
    profile_no        key           scoring profile
    subset_no         key           subset; 0 is all
    block_no          key           block
    n_item            count         items of either side
    ceaf_m_precision  ratio [0, 1]  CEAF by items: precision
    ceaf_m_recall     ratio [0, 1]  CEAF by items: recall
    ceaf_m_f1         ratio [0, 1]  CEAF by items: F1
    ceaf_e_precision  ratio [0, 1]  CEAF by clusters: precision
    ceaf_e_recall     ratio [0, 1]  CEAF by clusters: recall
    ceaf_e_f1         ratio [0, 1]  CEAF by clusters: F1
    conll_f1          ratio [0, 1]  CoNLL mean of MUC, B-CUBED and CEAF
    null_reason       text          as assignment_value__v1
metrics:
    ceaf_m_precision  n=n_item  best=highest  CEAF by items: precision
    ceaf_m_recall     n=n_item  best=highest  CEAF by items: recall
    ceaf_m_f1         n=n_item  best=highest  CEAF by items: F1
    ceaf_e_precision  n=n_item  best=highest  CEAF by clusters: precision
    ceaf_e_recall     n=n_item  best=highest  CEAF by clusters: recall
    ceaf_e_f1         n=n_item  best=highest  CEAF by clusters: F1
    conll_f1          n=n_item  best=highest  CoNLL mean of MUC, B-CUBED and CEAF
class:    exact
see also: assignment_value__v1, assignment_score__v1
*/
select
    run_no, profile_no, subset_no, block_no, n_item, ceaf_m_precision, ceaf_m_recall, ceaf_m_f1, ceaf_e_precision,
    ceaf_e_recall, ceaf_e_f1, conll_f1, null_reason
from metric.partition_assignment_value__v1 where block_no > 0
