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
with counted as (
    select
        run_no, item.condition_no, segment_no, item.block_no, coalesce(gold.cluster_no, 0) as gold_no,
        coalesce(answer.cluster_no, 0) as system_no, count(*) as n_member
    from base.partition_item_segment__v1 as item
    left join base.partition_gold as gold using (condition_no, item_no)
    left join base.partition_answer as answer using (run_no, item_no)
    group by all
)

select
    counted.run_no, subset_no, counted.block_no, gold_no, system_no, coalesce(noise.is_noise, 0) as is_noise,
    whole_sum(n_member) as n_item
from counted join base.subset_cell using (condition_no, segment_no)
left join base.partition_cluster as noise on noise.run_no = counted.run_no and noise.cluster_no = system_no
where gold_no + system_no > 0
group by all
