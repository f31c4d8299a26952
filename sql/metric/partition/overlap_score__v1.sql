/*
title:    B-CUBED, purity, clusters found whole, events, MUC and LEA of a run: over all blocks together and as means
          over the blocks
formula:  story: numerators and denominators added over the blocks, divided once; topic: mean of the numbers of the
          blocks that have one, F1 the mean of their F1
source:   A. Bagga, B. Baldwin, Algorithms for Scoring Coreference Chains (1998); M. Vilain et al., A model-theoretic
          coreference scoring scheme (1995); N. Moosavi, M. Strube (2016); as overlap_value__v1; coreference scorers
          add over documents (story)
inputs:   metric.partition_overlap_value__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no                  key           run
    profile_no              key           scoring profile
    subset_no               key           subset; 0 is all
    weighting               key           story: all blocks together; topic: mean over the blocks
    n_gold_item             count         items in gold clusters; topic: mean of a block
    n_system_item           count         items in clusters of the run; topic: mean of a block
    n_shared_item           count         items in both; topic: mean of a block
    n_gold_cluster          count         gold clusters; topic: mean of a block
    n_system_cluster        count         clusters of the run; topic: mean of a block
    n_cell                  count         pairs of clusters that share an item; topic: mean of a block
    b3_precision            ratio [0, 1]  B-CUBED precision
    b3_recall               ratio [0, 1]  B-CUBED recall
    b3_f1                   ratio [0, 1]  B-CUBED F1
    b3_cluster_precision    ratio [0, 1]  B-CUBED by clusters: precision
    b3_cluster_recall       ratio [0, 1]  B-CUBED by clusters: recall
    b3_cluster_f1           ratio [0, 1]  B-CUBED by clusters: F1
    purity                  ratio [0, 1]  Purity
    inverse_purity          ratio [0, 1]  Inverse purity
    purity_f1               ratio [0, 1]  F1 of purity and inverse purity
    exact_precision         ratio [0, 1]  Clusters found whole: precision
    exact_recall            ratio [0, 1]  Clusters found whole: recall
    exact_f1                ratio [0, 1]  Clusters found whole: F1
    event_f1                ratio [0, 1]  F1 of each gold cluster with its best cluster
    muc_precision           ratio [0, 1]  MUC precision
    muc_recall              ratio [0, 1]  MUC recall
    muc_f1                  ratio [0, 1]  MUC F1
    lea_precision           ratio [0, 1]  LEA precision
    lea_recall              ratio [0, 1]  LEA recall
    lea_f1                  ratio [0, 1]  LEA F1
    n_block                 count         blocks; story: items
    n_b3_precision          count         blocks with b3_precision; story: items, 0 where it is NULL
    n_b3_recall             count         blocks with b3_recall; story: items, 0 where it is NULL
    n_b3_f1                 count         blocks with b3_f1; story: items, 0 where it is NULL
    n_b3_cluster_precision  count         blocks with b3_cluster_precision; story: items, 0 where it is NULL
    n_b3_cluster_recall     count         blocks with b3_cluster_recall; story: items, 0 where it is NULL
    n_b3_cluster_f1         count         blocks with b3_cluster_f1; story: items, 0 where it is NULL
    n_purity                count         blocks with purity; story: items, 0 where it is NULL
    n_inverse_purity        count         blocks with inverse_purity; story: items, 0 where it is NULL
    n_purity_f1             count         blocks with purity_f1; story: items, 0 where it is NULL
    n_exact_precision       count         blocks with exact_precision; story: items, 0 where it is NULL
    n_exact_recall          count         blocks with exact_recall; story: items, 0 where it is NULL
    n_exact_f1              count         blocks with exact_f1; story: items, 0 where it is NULL
    n_event_f1              count         blocks with event_f1; story: items, 0 where it is NULL
    n_muc_precision         count         blocks with muc_precision; story: items, 0 where it is NULL
    n_muc_recall            count         blocks with muc_recall; story: items, 0 where it is NULL
    n_muc_f1                count         blocks with muc_f1; story: items, 0 where it is NULL
    n_lea_precision         count         blocks with lea_precision; story: items, 0 where it is NULL
    n_lea_recall            count         blocks with lea_recall; story: items, 0 where it is NULL
    n_lea_f1                count         blocks with lea_f1; story: items, 0 where it is NULL
    null_reason             text          as overlap_value__v1; topic: of some block
metrics:
    n_gold_item           n=n_block  best=none     Items in gold clusters
    n_system_item         n=n_block  best=none     Items in clusters of the run
    n_shared_item         n=n_block  best=none     Items in both
    n_gold_cluster        n=n_block  best=none     Gold clusters
    n_system_cluster      n=n_block  best=none     Clusters of the run
    n_cell                n=n_block  best=none     Pairs of clusters that share an item
    b3_precision          n=n_b3_precision          best=highest  B-CUBED precision
    b3_recall             n=n_b3_recall             best=highest  B-CUBED recall
    b3_f1                 n=n_b3_f1                 best=highest  B-CUBED F1
    b3_cluster_precision  n=n_b3_cluster_precision  best=highest  B-CUBED by clusters: precision
    b3_cluster_recall     n=n_b3_cluster_recall     best=highest  B-CUBED by clusters: recall
    b3_cluster_f1         n=n_b3_cluster_f1         best=highest  B-CUBED by clusters: F1
    purity                n=n_purity                best=highest  Purity
    inverse_purity        n=n_inverse_purity        best=highest  Inverse purity
    purity_f1             n=n_purity_f1             best=highest  F1 of purity and inverse purity
    exact_precision       n=n_exact_precision       best=highest  Clusters found whole: precision
    exact_recall          n=n_exact_recall          best=highest  Clusters found whole: recall
    exact_f1              n=n_exact_f1              best=highest  Clusters found whole: F1
    event_f1              n=n_event_f1              best=highest  F1 of each gold cluster with its best cluster
    muc_precision         n=n_muc_precision         best=highest  MUC precision
    muc_recall            n=n_muc_recall            best=highest  MUC recall
    muc_f1                n=n_muc_f1                best=highest  MUC F1
    lea_precision         n=n_lea_precision         best=highest  LEA precision
    lea_recall            n=n_lea_recall            best=highest  LEA recall
    lea_f1                n=n_lea_f1                best=highest  LEA F1
edges:    Items of one block only: both weightings are the number of that block.
class:    exact
see also: overlap_value__v1, overlap_block__v1
*/
select
    run_no, profile_no, subset_no, case when block_no = 0 then 'story' else 'topic' end as weighting,
    exact_mean(cast(n_gold_item as double)) as n_gold_item, exact_mean(cast(n_system_item as double)) as n_system_item,
    exact_mean(cast(n_shared_item as double)) as n_shared_item,
    exact_mean(cast(n_gold_cluster as double)) as n_gold_cluster,
    exact_mean(cast(n_system_cluster as double)) as n_system_cluster, exact_mean(cast(n_cell as double)) as n_cell,
    exact_mean(b3_precision) as b3_precision, exact_mean(b3_recall) as b3_recall, exact_mean(b3_f1) as b3_f1,
    exact_mean(b3_cluster_precision) as b3_cluster_precision, exact_mean(b3_cluster_recall) as b3_cluster_recall,
    exact_mean(b3_cluster_f1) as b3_cluster_f1, exact_mean(purity) as purity,
    exact_mean(inverse_purity) as inverse_purity, exact_mean(purity_f1) as purity_f1,
    exact_mean(exact_precision) as exact_precision, exact_mean(exact_recall) as exact_recall,
    exact_mean(exact_f1) as exact_f1, exact_mean(event_f1) as event_f1, exact_mean(muc_precision) as muc_precision,
    exact_mean(muc_recall) as muc_recall, exact_mean(muc_f1) as muc_f1, exact_mean(lea_precision) as lea_precision,
    exact_mean(lea_recall) as lea_recall, exact_mean(lea_f1) as lea_f1,
    whole_sum(case when block_no = 0 then n_item else 1 end) as n_block,
    unit_count(b3_precision, block_no, n_item) as n_b3_precision,
    unit_count(b3_recall, block_no, n_item) as n_b3_recall, unit_count(b3_f1, block_no, n_item) as n_b3_f1,
    unit_count(b3_cluster_precision, block_no, n_item) as n_b3_cluster_precision,
    unit_count(b3_cluster_recall, block_no, n_item) as n_b3_cluster_recall,
    unit_count(b3_cluster_f1, block_no, n_item) as n_b3_cluster_f1, unit_count(purity, block_no, n_item) as n_purity,
    unit_count(inverse_purity, block_no, n_item) as n_inverse_purity,
    unit_count(purity_f1, block_no, n_item) as n_purity_f1,
    unit_count(exact_precision, block_no, n_item) as n_exact_precision,
    unit_count(exact_recall, block_no, n_item) as n_exact_recall, unit_count(exact_f1, block_no, n_item) as n_exact_f1,
    unit_count(event_f1, block_no, n_item) as n_event_f1,
    unit_count(muc_precision, block_no, n_item) as n_muc_precision,
    unit_count(muc_recall, block_no, n_item) as n_muc_recall, unit_count(muc_f1, block_no, n_item) as n_muc_f1,
    unit_count(lea_precision, block_no, n_item) as n_lea_precision,
    unit_count(lea_recall, block_no, n_item) as n_lea_recall, unit_count(lea_f1, block_no, n_item) as n_lea_f1,
    max(null_reason) as null_reason
from metric.partition_overlap_value__v1
group by run_no, profile_no, subset_no, case when block_no = 0 then 'story' else 'topic' end
