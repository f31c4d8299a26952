/*
title:    Pairs of items, Rand index, adjusted Rand index, block by block
formula:  as pair_value__v1, of the blocks
source:   L. Hubert, P. Arabie, Comparing partitions (1985); as pair_value__v1
inputs:   metric.partition_pair_value__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no           key              run
    profile_no       key              scoring profile
    subset_no        key              subset; 0 is all
    block_no         key              block
    n_item           count            items of either side
    pair_precision   ratio [0, 1]     Pairs: precision
    pair_recall      ratio [0, 1]     Pairs: recall
    pair_f1          ratio [0, 1]     Pairs: F1
    rand             ratio [0, 1]     Rand index
    ari              ratio [-0.5, 1]  Adjusted Rand index
    fowlkes_mallows  ratio [0, 1]     Fowlkes and Mallows
    null_reason      text             as pair_value__v1
metrics:
    pair_precision   n=n_item  best=highest  Pairs: precision
    pair_recall      n=n_item  best=highest  Pairs: recall
    pair_f1          n=n_item  best=highest  Pairs: F1
    rand             n=n_item  best=highest  Rand index
    ari              n=n_item  best=highest  Adjusted Rand index
    fowlkes_mallows  n=n_item  best=highest  Fowlkes and Mallows
class:    exact
see also: pair_value__v1, pair_score__v1
*/
select
    run_no, profile_no, subset_no, block_no, n_item, pair_precision, pair_recall, pair_f1, rand, ari, fowlkes_mallows,
    null_reason
from metric.partition_pair_value__v1 where block_no > 0
