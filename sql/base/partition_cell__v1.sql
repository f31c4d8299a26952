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
    from registry.run join base.partition_gold using (condition_no)
),

answer as (select run_no, item_no, cluster_no as system_no, place as system_place from base.partition_answer),

shared as (
    select
        run_no, gold_no, system_no, count(*) as n_shared, count(*) filter (where gold_place = 1) as n_first_gold,
        count(*) filter (where system_place = 1) as n_first_system
    from gold join answer using (run_no, item_no)
    group by all
),

-- of either side, its items less those in cells, each once
part as (
    select run_no, gold_no, system_no, n_shared as n_item from shared
    union all
    select run_no, gold_no, 0 as system_no, count(*) as n_item from gold group by all
    union all
    select run_no, gold_no, 0 as system_no, -n_first_system as n_item from shared
    union all
    select run_no, 0 as gold_no, system_no, count(*) as n_item from answer group by all
    union all
    select run_no, 0 as gold_no, system_no, -n_first_gold as n_item from shared
),

counted as (select run_no, gold_no, system_no, whole_sum(n_item) as n_item from part group by all)

select
    run_no, coalesce(gold.block_no, system.block_no) as block_no, gold_no, system_no,
    coalesce(system.is_noise, 0) as is_noise, n_item
from counted join registry.run using (run_no)
left join base.partition_gold_cluster as gold on gold.condition_no = run.condition_no and gold.cluster_no = gold_no
left join base.partition_cluster as system on system.run_no = counted.run_no and system.cluster_no = system_no
where n_item > 0
