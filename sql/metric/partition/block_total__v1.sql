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
        run_no, profile_no, subset_no, block_no,
        whole_sum(case when gold_no <> 0 and system_no <> 0 then n_item else 0 end) as sum_shared_item,
        whole_sum(n_item - n_repeat) as sum_once, whole_sum(n_repeat) as sum_repeat
    from metric.partition_cell__v1
    group by run_no, profile_no, subset_no, block_no
),

shared_sum as (
    select run_no, profile_no, subset_no, block_no, whole_sum(n_cell) as sum_cell
    from metric.partition_shared_cell__v1
    group by run_no, profile_no, subset_no, block_no
),

cell_f1 as (
    select
        run_no, profile_no, subset_no, block_no, gold_no, n_cell,
        ratio(2 * n_overlap, n_gold_size + n_system_size) as f1
    from metric.partition_shared_cell__v1
),

gold_best as (
    select run_no, profile_no, subset_no, block_no, gold_no, max(f1) as best_f1, sum(whole_units(f1) * n_cell) as sum_f1
    from cell_f1
    group by run_no, profile_no, subset_no, block_no, gold_no
),

event as (
    select
        run_no, profile_no, subset_no, block_no,
        sum(case when gold_no = -1 then sum_f1 else whole_units(best_f1) end) as sum_event
    from gold_best
    group by run_no, profile_no, subset_no, block_no
),

side as (
    select
        run_no, profile_no, subset_no, block_no,
        whole_sum(case when is_system = 0 then n_cluster else 0 end) as g_cluster,
        whole_sum(case when is_system = 1 then n_cluster else 0 end) as s_cluster,
        whole_sum(case when is_system = 0 then n_cluster * n_size else 0 end) as g_item,
        whole_sum(case when is_system = 1 then n_cluster * n_size else 0 end) as s_item,
        whole_sum(case when is_system = 0 then n_cluster * n_size * (n_size - 1) else 0 end) as g_link,
        whole_sum(case when is_system = 1 then n_cluster * n_size * (n_size - 1) else 0 end) as s_link,
        whole_sum(case when is_system = 0 then n_largest else 0 end) as g_largest,
        whole_sum(case when is_system = 1 then n_largest else 0 end) as s_largest,
        whole_sum(case when is_system = 1 then n_square - n_shared else 0 end) as s_shared_link,
        sum(case when is_system = 0 then square_sum else 0 end) as g_square_sum,
        sum(case when is_system = 1 then square_sum else 0 end) as s_square_sum,
        sum(case when is_system = 0 then square_mean else 0 end) as g_square_mean,
        sum(case when is_system = 1 then square_mean else 0 end) as s_square_mean,
        sum(case when is_system = 0 then link_sum else 0 end) as g_link_sum,
        sum(case when is_system = 1 then link_sum else 0 end) as s_link_sum
    from metric.partition_cluster__v1
    group by run_no, profile_no, subset_no, block_no
)

select
    run_no, profile_no, subset_no, block_no, coalesce(sum_once, 0) as n_distinct_item,
    coalesce(g_item, 0) as n_gold_item, coalesce(s_item, 0) as n_system_item,
    coalesce(sum_shared_item, 0) as n_shared_item, coalesce(g_cluster, 0) as n_gold_cluster,
    coalesce(s_cluster, 0) as n_system_cluster, coalesce(sum_cell, 0) as n_cell, coalesce(sum_repeat, 0) as n_repeat,
    coalesce(n_gold_found, 0) as n_gold_exact, coalesce(n_system_found, 0) as n_system_exact,
    coalesce(n_single_found, 0) as n_single, coalesce(g_link, 0) as n_gold_link, coalesce(s_link, 0) as n_system_link,
    coalesce(s_shared_link, 0) as n_shared_link, coalesce(g_largest, 0) as n_gold_largest,
    coalesce(s_largest, 0) as n_system_largest, coalesce(g_square_sum, 0) as gold_square_sum,
    coalesce(s_square_sum, 0) as system_square_sum, coalesce(g_square_mean, 0) as gold_square_mean,
    coalesce(s_square_mean, 0) as system_square_mean, coalesce(g_link_sum, 0) as gold_link_sum,
    coalesce(s_link_sum, 0) as system_link_sum, coalesce(sum_event, 0) as event_sum
from base.partition_block__v1
join registry.run using (run_no)
join registry.condition_profile using (condition_no)
left join cell_sum using (run_no, profile_no, subset_no, block_no)
left join shared_sum using (run_no, profile_no, subset_no, block_no)
left join metric.partition_exact_cluster__v1 using (run_no, profile_no, subset_no, block_no)
left join event using (run_no, profile_no, subset_no, block_no)
left join side using (run_no, profile_no, subset_no, block_no)
