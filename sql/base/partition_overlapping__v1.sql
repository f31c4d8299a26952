/*
title:    Memberships of the partition runs in which an item is in several clusters of a side, by subset
formula:  a row for each item and each of its clusters, of the gold and of the run; a subset has those of its items
source:   E. Amigo et al., A comparison of extrinsic clustering evaluation metrics (2009), section 5 (overlapping
          clustering)
inputs:   base.partition_several_run__v1, registry.run, base.partition_gold, base.partition_gold_cluster,
          base.partition_answer, base.partition_cluster, base.partition_item_segment__v1, base.subset_cell
grain:    run_no, subset_no, is_system, item_no, cluster_no
columns:
    run_no      key    run
    subset_no   key    subset; 0 is all
    is_system   key    1: cluster of the run; 0: of the gold
    item_no     key    item
    cluster_no  key    cluster
    block_no    count  block of both
    place       count  of the clusters of the item on this side, in the order of the file, from 1
    is_noise    flag   1: the cluster of the run is what it calls noise
edges:    A run whose items are in one cluster at most on each side is not here.
          An item that is not a story is in no subset but 0.
class:    exact
see also: partition_several_run__v1, partition_cell__v1
*/
with member as (
    select run_no, 0 as is_system, item_no, cluster_no, block_no, place, 0 as is_noise
    from base.partition_several_run__v1 join registry.run using (run_no)
    join base.partition_gold using (condition_no)
    join base.partition_gold_cluster using (condition_no, cluster_no)
    union all
    select run_no, 1 as is_system, item_no, cluster_no, block_no, place, is_noise
    from base.partition_several_run__v1 join base.partition_answer using (run_no)
    join base.partition_cluster using (run_no, cluster_no)
)

select run_no, 0 as subset_no, is_system, item_no, cluster_no, block_no, place, is_noise from member
union all
select run_no, subset_no, is_system, item_no, cluster_no, member.block_no, place, is_noise
from member join base.partition_item_segment__v1 using (run_no, item_no)
join base.subset_cell using (condition_no, segment_no)
