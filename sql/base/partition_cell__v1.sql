/*
title:    How many items each gold cluster shares with each cluster of a run
formula:  n_item(i, j) = |gold cluster i n cluster j of the run|; i = 0: items without gold, j = 0: items that the run
          put nowhere: what clusters have beyond the cells
source:   A. Bagga, B. Baldwin, Entity-Based Cross-Document Coreferencing Using the Vector Space Model (1998), section
          4;
          the contingency table of L. Hubert, P. Arabie, Comparing partitions (1985), table 1
inputs:   registry.run, base.partition_gold, base.partition_answer, base.partition_cluster, base.partition_gold_cluster
grain:    run_no, block_no, gold_no, system_no
columns:
    run_no     key    run
    block_no   key    block
    gold_no    key    gold cluster; 0: none
    system_no  key    cluster of the run; 0: none
    is_noise   flag   1: the cluster of the run is what it calls noise
    n_item     count  items
edges:    An item in two clusters of a side is in a cell for each.
          An item that neither side puts in a cluster is nowhere.
class:    exact
see also: partition_block__v1, partition_overlapping__v1
*/
with gold as (
    select run_no, item_no, cluster_no as gold_no, place as gold_place
    from registry.run
    join base.partition_gold using (condition_no)
),

answer as (
    select run_no, item_no, cluster_no as system_no, place as system_place
    from base.partition_answer
),

shared as (
    select
        run_no, gold_no, system_no, count(*) as n_shared, count_where(gold_place = 1) as n_first_gold,
        count_where(system_place = 1) as n_first_system
    from gold
    join answer using (run_no, item_no)
    group by run_no, gold_no, system_no
),

-- of either side, its items less those in cells, each once
gold_left as (
    select run_no, gold_no, count(*) as n_left
    from gold
    group by run_no, gold_no
    union all
    select run_no, gold_no, -n_first_system as n_left
    from shared
),

system_left as (
    select run_no, system_no, count(*) as n_left
    from answer
    group by run_no, system_no
    union all
    select run_no, system_no, -n_first_gold as n_left
    from shared
),

counted as (
    select run_no, gold_no, system_no, n_shared as n_counted
    from shared
    union all
    select run_no, gold_no, 0 as system_no, whole_sum(n_left) as n_counted
    from gold_left
    group by run_no, gold_no
    union all
    select run_no, 0 as gold_no, system_no, whole_sum(n_left) as n_counted
    from system_left
    group by run_no, system_no
),

gold_cluster as (
    select run_no, cluster_no as gold_no, block_no as gold_block_no
    from registry.run
    join base.partition_gold_cluster using (condition_no)
),

system_cluster as (
    select run_no, cluster_no as system_no, block_no as system_block_no, is_noise as is_noise_cluster
    from base.partition_cluster
)

select
    run_no, coalesce(gold_block_no, system_block_no) as block_no, gold_no, system_no,
    coalesce(is_noise_cluster, 0) as is_noise, n_counted as n_item
from counted
left join gold_cluster using (run_no, gold_no)
left join system_cluster using (run_no, system_no)
where n_counted > 0
