/*
title:    Counts and sums of a partition, of each block and of all blocks together
formula:  the sums of block_total__v1, over one block or over all; n_possible_link = sum over the blocks of N (N - 1)
source:   Our own: coreference scorers add numerators and denominators over documents and divide once
inputs:   metric.partition_block_total__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no               key          run
    profile_no           key          scoring profile
    subset_no            key          subset; 0 is all
    block_no             key          block; 0: all together
    n_block              count        blocks
    n_item               count        items of either side
    n_gold_item          count        items in gold clusters
    n_system_item        count        items in clusters of the run
    n_shared_item        count        items in both
    n_gold_cluster       count        gold clusters
    n_system_cluster     count        clusters of the run
    n_cell               count        pairs of a gold cluster and a cluster of the run that share an item
    n_repeat             count        items that are in several clusters of a side
    n_gold_exact         count        gold clusters that are a cluster of the run too
    n_system_exact       count        clusters of the run that are a gold cluster too
    n_single             count        pairs of such clusters of one item
    n_gold_link          count        links of the gold
    n_system_link        count        links of the run
    n_shared_link        count        links of both
    n_possible_link      count        ordered pairs of different items of a block
    n_gold_largest       count        largest overlap of each gold cluster, added up
    n_system_largest     count        largest overlap of each cluster of the run, added up
    gold_square_sum      fixed 1e-15  square_sum of the gold clusters, added up
    system_square_sum    fixed 1e-15  of the clusters of the run
    gold_square_mean     fixed 1e-15  square_mean of the gold clusters, added up
    system_square_mean   fixed 1e-15  of the clusters of the run
    gold_link_sum        fixed 1e-15  link_sum of the gold clusters, added up
    system_link_sum      fixed 1e-15  of the clusters of the run
    event_sum            fixed 1e-15  F1 of each gold cluster with its best cluster of the run, added up
class:    exact
see also: block_total__v1, overlap_value__v1, pair_value__v1
*/
-- each block as itself, and again as a part of the whole
select
    run_no, profile_no, subset_no, case when is_whole = 1 then 0 else block_no end as block_no, count(*) as n_block,
    whole_sum(n_distinct_item) as n_item, whole_sum(n_gold_item) as n_gold_item,
    whole_sum(n_system_item) as n_system_item, whole_sum(n_shared_item) as n_shared_item,
    whole_sum(n_gold_cluster) as n_gold_cluster, whole_sum(n_system_cluster) as n_system_cluster,
    whole_sum(n_cell) as n_cell, whole_sum(n_repeat) as n_repeat, whole_sum(n_gold_exact) as n_gold_exact,
    whole_sum(n_system_exact) as n_system_exact, whole_sum(n_single) as n_single, whole_sum(n_gold_link) as n_gold_link,
    whole_sum(n_system_link) as n_system_link, whole_sum(n_shared_link) as n_shared_link,
    whole_sum(n_gold_item * (n_gold_item - 1)) as n_possible_link, whole_sum(n_gold_largest) as n_gold_largest,
    whole_sum(n_system_largest) as n_system_largest, sum(gold_square_sum) as gold_square_sum,
    sum(system_square_sum) as system_square_sum, sum(gold_square_mean) as gold_square_mean,
    sum(system_square_mean) as system_square_mean, sum(gold_link_sum) as gold_link_sum,
    sum(system_link_sum) as system_link_sum, sum(event_sum) as event_sum
from metric.partition_block_total__v1
cross join (select 0 as is_whole union all select 1 as is_whole) as reach
group by all
