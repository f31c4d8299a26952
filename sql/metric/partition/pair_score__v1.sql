/*
title:    Pairs of items, Rand index, adjusted Rand index of a run: over all blocks together and as means over the
          blocks
formula:  story: numerators and denominators added over the blocks, divided once; topic: mean of the numbers of the
          blocks that have one, F1 the mean of their F1
source:   L. Hubert, P. Arabie, Comparing partitions (1985); as pair_value__v1; coreference scorers add over documents
          (story)
inputs:   metric.partition_pair_value__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no             key              run
    profile_no         key              scoring profile
    subset_no          key              subset; 0 is all
    weighting          key              story: all blocks together; topic: mean over the blocks
    pair_precision     ratio [0, 1]     Pairs: precision
    pair_recall        ratio [0, 1]     Pairs: recall
    pair_f1            ratio [0, 1]     Pairs: F1
    rand               ratio [0, 1]     Rand index
    ari                ratio [-0.5, 1]  Adjusted Rand index
    fowlkes_mallows    ratio [0, 1]     Fowlkes and Mallows
    n_block            count            blocks; story: items
    n_pair_precision   count            blocks with pair_precision; story: items, 0 where it is NULL
    n_pair_recall      count            blocks with pair_recall; story: items, 0 where it is NULL
    n_pair_f1          count            blocks with pair_f1; story: items, 0 where it is NULL
    n_rand             count            blocks with rand; story: items, 0 where it is NULL
    n_ari              count            blocks with ari; story: items, 0 where it is NULL
    n_fowlkes_mallows  count            blocks with fowlkes_mallows; story: items, 0 where it is NULL
    null_reason        text             as pair_value__v1; topic: of some block
metrics:
    pair_precision   n=n_pair_precision   best=highest  Pairs: precision
    pair_recall      n=n_pair_recall      best=highest  Pairs: recall
    pair_f1          n=n_pair_f1          best=highest  Pairs: F1
    rand             n=n_rand             best=highest  Rand index
    ari              n=n_ari              best=highest  Adjusted Rand index
    fowlkes_mallows  n=n_fowlkes_mallows  best=highest  Fowlkes and Mallows
edges:    Items of one block only: both weightings are the number of that block.
class:    exact
see also: pair_value__v1, pair_block__v1
*/
select
    run_no, profile_no, subset_no, case when block_no = 0 then 'story' else 'topic' end as weighting,
    exact_mean(pair_precision) as pair_precision, exact_mean(pair_recall) as pair_recall,
    exact_mean(pair_f1) as pair_f1, exact_mean(rand) as rand, exact_mean(ari) as ari,
    exact_mean(fowlkes_mallows) as fowlkes_mallows, unit_count(0, block_no, n_item) as n_block,
    unit_count(pair_precision, block_no, n_item) as n_pair_precision,
    unit_count(pair_recall, block_no, n_item) as n_pair_recall, unit_count(pair_f1, block_no, n_item) as n_pair_f1,
    unit_count(rand, block_no, n_item) as n_rand, unit_count(ari, block_no, n_item) as n_ari,
    unit_count(fowlkes_mallows, block_no, n_item) as n_fowlkes_mallows, max(null_reason) as null_reason
from metric.partition_pair_value__v1 group by all
