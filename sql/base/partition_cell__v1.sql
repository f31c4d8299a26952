/*
title:    How many items each gold cluster shares with each cluster of a run
formula:  n_item(i, j) = |gold cluster i n cluster j of the run|; i = 0: items without gold, j = 0: items that the run
          put nowhere
source:   A. Bagga, B. Baldwin, Entity-Based Cross-Document Coreferencing Using the Vector Space Model (1998), section
          4;
          the contingency table of L. Hubert, P. Arabie, Comparing partitions (1985), table 1
inputs:   registry.run, base.partition_gold, base.partition_answer, base.partition_cluster, base.partition_gold_cluster
grain:    run_no, block_no, gold_no, system_no, is_gold_repeat, is_system_repeat
columns:
    run_no            key    run
    block_no          key    block
    gold_no           key    gold cluster; 0: none
    system_no         key    cluster of the run; 0: none
    is_gold_repeat    key    1: the item is in an earlier gold cluster too
    is_system_repeat  key    1: the item is in an earlier cluster of the run too
    is_noise          flag   1: the cluster of the run is what it calls noise
    n_item            count  items
edges:    An item in two clusters of a side is in a cell for each; without repeats each item is in one cell.
          An item that neither side puts in a cluster is nowhere.
class:    exact
see also: partition_block__v1
*/
with

gold as (
    select
        run_no, item_no,
        cluster_no as gold_cluster_no,
        case when place > 1 then 1 else 0 end as is_gold_repeat
    from registry.run
    join base.partition_gold using (condition_no)
),

answer as (
    select
        run_no, item_no,
        cluster_no as answer_no,
        case when place > 1 then 1 else 0 end as is_answer_repeat
    from base.partition_answer
),

first_gold as (
    select run_no, item_no, 1 as is_known
    from gold
    where is_gold_repeat = 0
),

pair as (
    select
        run_no, is_gold_repeat,
        gold_cluster_no as gold_no,
        coalesce(answer_no, 0) as system_no,
        coalesce(is_answer_repeat, 0) as is_system_repeat
    from gold
    left join answer using (run_no, item_no)
    union all
    select
        run_no,
        0 as is_gold_repeat,
        0 as gold_no,
        answer_no as system_no,
        is_answer_repeat as is_system_repeat
    from answer
    left join first_gold using (run_no, item_no)
    where coalesce(is_known, 0) = 0
),

counted as (
    select
        run_no, gold_no, system_no, is_gold_repeat, is_system_repeat,
        count(*) as n_item
    from pair
    group by run_no, gold_no, system_no, is_gold_repeat, is_system_repeat
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
    run_no,
    coalesce(gold_block_no, system_block_no) as block_no,
    gold_no, system_no, is_gold_repeat, is_system_repeat,
    coalesce(is_noise_cluster, 0) as is_noise,
    n_item
from counted
left join gold_cluster using (run_no, gold_no)
left join system_cluster using (run_no, system_no)
