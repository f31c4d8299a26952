/*
title:    How many items of a subset each gold cluster shares with each cluster of a run
formula:  partition_cell__v1 over the items of the subset: both sides are cut to them
source:   Our own, as the program of S. Miranda et al., Multilingual Clustering of Streaming News (2018) is run for each
          language
inputs:   base.partition_item_segment__v1, base.partition_gold, base.partition_answer, base.partition_cluster,
          base.subset_cell
grain:    run_no, subset_no, block_no, gold_no, system_no
columns:
    run_no     key    run
    subset_no  key    subset, from 1
    block_no   key    block
    gold_no    key    gold cluster; 0: none
    system_no  key    cluster of the run; 0: none
    is_noise   flag   1: the cluster of the run is what it calls noise
    n_item     count  items
edges:    As partition_cell__v1. An item that is not a story is in no subset.
class:    exact
see also: partition_cell__v1, partition_item_segment__v1
*/
with gold as (
    select condition_no, item_no, cluster_no as gold_cluster_no
    from base.partition_gold
),

answer as (
    select run_no, item_no, cluster_no as answer_no
    from base.partition_answer
),

pair as (
    select
        run_no, condition_no, segment_no, block_no, coalesce(gold_cluster_no, 0) as gold_no,
        coalesce(answer_no, 0) as system_no
    from base.partition_item_segment__v1
    left join gold using (condition_no, item_no)
    left join answer using (run_no, item_no)
),

counted as (
    select run_no, condition_no, segment_no, block_no, gold_no, system_no, count(*) as n_member
    from pair
    where gold_no + system_no > 0
    group by run_no, condition_no, segment_no, block_no, gold_no, system_no
),

segment as (
    select condition_no, subset_no, segment_no
    from base.subset_cell
),

noise as (
    select run_no, cluster_no as system_no, is_noise as is_noise_cluster
    from base.partition_cluster
)

select
    run_no, subset_no, block_no, gold_no, system_no, coalesce(is_noise_cluster, 0) as is_noise,
    whole_sum(n_member) as n_item
from counted
join segment using (condition_no, segment_no)
left join noise using (run_no, system_no)
group by run_no, subset_no, block_no, gold_no, system_no, coalesce(is_noise_cluster, 0)
