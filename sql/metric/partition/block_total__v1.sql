/*
title:    Counts and exact sums of a partition by block
formula:  sums over the clusters of either side (cluster__v1) and over the cells (shared_cell__v1); a link is an ordered
          pair of two items of one cluster
source:   L. Hubert, P. Arabie, Comparing partitions (1985), table 1
inputs:   base.partition_block__v1, registry.run, registry.condition_profile, metric.partition_cell__v1,
          metric.partition_cluster__v1, metric.partition_shared_cell__v1, metric.partition_exact_cluster__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no               key          run
    profile_no           key          scoring profile
    subset_no            key          subset; 0 is all
    block_no             key          block
    n_distinct_item      count        items of either side
    n_gold_item          count        items in gold clusters; where items are in several, memberships
    n_system_item        count        items in clusters of the run; likewise
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
    n_gold_largest       count        largest overlap of each gold cluster, added up
    n_system_largest     count        largest overlap of each cluster of the run, added up
    gold_square_sum      fixed 1e-15  square_sum of the gold clusters, added up
    system_square_sum    fixed 1e-15  of the clusters of the run
    gold_square_mean     fixed 1e-15  square_mean of the gold clusters, added up
    system_square_mean   fixed 1e-15  of the clusters of the run
    gold_link_sum        fixed 1e-15  link_sum of the gold clusters, added up
    system_link_sum      fixed 1e-15  of the clusters of the run
    event_sum            fixed 1e-15  F1 of each gold cluster with its best cluster of the run, added up
edges:    A block that a policy leaves without items has a row of zeros.
class:    exact
see also: total__v1
*/
with cell_sum as (
    select
        run_no, profile_no, subset_no, block_no, whole_sum(n_item - n_repeat) as n_once,
        whole_sum(n_repeat) as n_several,
        whole_sum(case when gold_no <> 0 and system_no <> 0 then n_item else 0 end) as n_shared
    from metric.partition_cell__v1 group by all
),

gold_best as (
    select
        run_no, profile_no, subset_no, block_no, gold_no, whole_sum(n_cell) as n_of_gold,
        max(ratio(2 * n_overlap, n_gold_size + n_system_size)) as best,
        sum(whole_units(ratio(2 * n_overlap, n_gold_size + n_system_size)) * n_cell) as sum_f1
    from metric.partition_shared_cell__v1 group by all
),

event as (
    select
        run_no, profile_no, subset_no, block_no, whole_sum(n_of_gold) as n_shared_cell,
        sum(case when gold_no = -1 then sum_f1 else whole_units(best) end) as sum_event
    from gold_best group by all
),

side as (
    select
        run_no, profile_no, subset_no, block_no, is_system, whole_sum(n_cluster) as n_cluster,
        whole_sum(n_cluster * n_size) as n_item, whole_sum(n_cluster * n_size * (n_size - 1)) as n_link,
        whole_sum(n_largest) as n_largest, whole_sum(n_square - n_shared) as n_shared_link,
        sum(square_sum) as square_sum, sum(square_mean) as square_mean, sum(link_sum) as link_sum
    from metric.partition_cluster__v1 group by all
)

select
    run_no, profile_no, subset_no, block_no, coalesce(n_once, 0) as n_distinct_item,
    coalesce(gold.n_item, 0) as n_gold_item, coalesce(system.n_item, 0) as n_system_item,
    coalesce(n_shared, 0) as n_shared_item, coalesce(gold.n_cluster, 0) as n_gold_cluster,
    coalesce(system.n_cluster, 0) as n_system_cluster, coalesce(n_shared_cell, 0) as n_cell,
    coalesce(n_several, 0) as n_repeat, coalesce(n_gold_found, 0) as n_gold_exact,
    coalesce(n_system_found, 0) as n_system_exact, coalesce(n_single_found, 0) as n_single,
    coalesce(gold.n_link, 0) as n_gold_link, coalesce(system.n_link, 0) as n_system_link,
    coalesce(system.n_shared_link, 0) as n_shared_link, coalesce(gold.n_largest, 0) as n_gold_largest,
    coalesce(system.n_largest, 0) as n_system_largest, coalesce(gold.square_sum, 0) as gold_square_sum,
    coalesce(system.square_sum, 0) as system_square_sum, coalesce(gold.square_mean, 0) as gold_square_mean,
    coalesce(system.square_mean, 0) as system_square_mean, coalesce(gold.link_sum, 0) as gold_link_sum,
    coalesce(system.link_sum, 0) as system_link_sum, coalesce(sum_event, 0) as event_sum
from base.partition_block__v1 join registry.run using (run_no) join registry.condition_profile using (condition_no)
left join cell_sum using (run_no, profile_no, subset_no, block_no)
left join metric.partition_exact_cluster__v1 using (run_no, profile_no, subset_no, block_no)
left join event using (run_no, profile_no, subset_no, block_no)
left join (select * from side where is_system = 0) as gold using (run_no, profile_no, subset_no, block_no)
left join (select * from side where is_system = 1) as system using (run_no, profile_no, subset_no, block_no)
