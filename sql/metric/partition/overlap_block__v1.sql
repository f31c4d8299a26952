/*
title:    B-CUBED, purity, clusters found whole, events, MUC and LEA, block by block
formula:  as overlap_value__v1, of the blocks
source:   A. Bagga, B. Baldwin, Algorithms for Scoring Coreference Chains (1998); M. Vilain et al., A model-theoretic
          coreference scoring scheme (1995); N. Moosavi, M. Strube (2016); as overlap_value__v1
inputs:   metric.partition_overlap_value__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no                key           run
    profile_no            key           scoring profile
    subset_no             key           subset; 0 is all
    block_no              key           block
    n_item                count         items of either side
    n_gold_item           count         items in gold clusters
    n_system_item         count         items in clusters of the run
    n_shared_item         count         items in both
    n_gold_cluster        count         gold clusters
    n_system_cluster      count         clusters of the run
    n_cell                count         pairs of clusters that share an item
    b3_precision          ratio [0, 1]  B-CUBED precision
    b3_recall             ratio [0, 1]  B-CUBED recall
    b3_f1                 ratio [0, 1]  B-CUBED F1
    b3_cluster_precision  ratio [0, 1]  B-CUBED by clusters: precision
    b3_cluster_recall     ratio [0, 1]  B-CUBED by clusters: recall
    b3_cluster_f1         ratio [0, 1]  B-CUBED by clusters: F1
    purity                ratio [0, 1]  Purity
    inverse_purity        ratio [0, 1]  Inverse purity
    purity_f1             ratio [0, 1]  F1 of purity and inverse purity
    exact_precision       ratio [0, 1]  Clusters found whole: precision
    exact_recall          ratio [0, 1]  Clusters found whole: recall
    exact_f1              ratio [0, 1]  Clusters found whole: F1
    event_f1              ratio [0, 1]  F1 of each gold cluster with its best cluster
    muc_precision         ratio [0, 1]  MUC precision
    muc_recall            ratio [0, 1]  MUC recall
    muc_f1                ratio [0, 1]  MUC F1
    lea_precision         ratio [0, 1]  LEA precision
    lea_recall            ratio [0, 1]  LEA recall
    lea_f1                ratio [0, 1]  LEA F1
    null_reason           text          as overlap_value__v1
metrics:
    n_gold_item           n=n_item  best=none     Items in gold clusters
    n_system_item         n=n_item  best=none     Items in clusters of the run
    n_shared_item         n=n_item  best=none     Items in both
    n_gold_cluster        n=n_item  best=none     Gold clusters
    n_system_cluster      n=n_item  best=none     Clusters of the run
    n_cell                n=n_item  best=none     Pairs of clusters that share an item
    b3_precision          n=n_item  best=highest  B-CUBED precision
    b3_recall             n=n_item  best=highest  B-CUBED recall
    b3_f1                 n=n_item  best=highest  B-CUBED F1
    b3_cluster_precision  n=n_item  best=highest  B-CUBED by clusters: precision
    b3_cluster_recall     n=n_item  best=highest  B-CUBED by clusters: recall
    b3_cluster_f1         n=n_item  best=highest  B-CUBED by clusters: F1
    purity                n=n_item  best=highest  Purity
    inverse_purity        n=n_item  best=highest  Inverse purity
    purity_f1             n=n_item  best=highest  F1 of purity and inverse purity
    exact_precision       n=n_item  best=highest  Clusters found whole: precision
    exact_recall          n=n_item  best=highest  Clusters found whole: recall
    exact_f1              n=n_item  best=highest  Clusters found whole: F1
    event_f1              n=n_item  best=highest  F1 of each gold cluster with its best cluster
    muc_precision         n=n_item  best=highest  MUC precision
    muc_recall            n=n_item  best=highest  MUC recall
    muc_f1                n=n_item  best=highest  MUC F1
    lea_precision         n=n_item  best=highest  LEA precision
    lea_recall            n=n_item  best=highest  LEA recall
    lea_f1                n=n_item  best=highest  LEA F1
class:    exact
see also: overlap_value__v1, overlap_score__v1
*/
select
    run_no, profile_no, subset_no, block_no, n_item, n_gold_item, n_system_item, n_shared_item, n_gold_cluster,
    n_system_cluster, n_cell, b3_precision, b3_recall, b3_f1, b3_cluster_precision, b3_cluster_recall, b3_cluster_f1,
    purity, inverse_purity, purity_f1, exact_precision, exact_recall, exact_f1, event_f1, muc_precision, muc_recall,
    muc_f1, lea_precision, lea_recall, lea_f1, null_reason
from metric.partition_overlap_value__v1 where block_no > 0
