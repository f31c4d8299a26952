/*
title:    Pairs of items that cells and clusters count more than once, because the two share several clusters
formula:  a pair that shares g gold clusters and s clusters of the run counts g times in the pairs of gold clusters,
          s times in those of the run and g s times in those of cells: the excess over 1 each
source:   E. Amigo et al., A comparison of extrinsic clustering evaluation metrics (2009), section 5 (multiplicity of a
          pair)
inputs:   metric.partition_near_share__v1, base.partition_item_segment__v1, base.subset_cell
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no         key    run
    profile_no     key    scoring profile
    subset_no      key    subset; 0 is all
    block_no       key    block
    n_gold_link    count  ordered pairs counted too often in the gold clusters
    n_system_link  count  in the clusters of the run
    n_shared_link  count  in the cells
edges:    Only blocks where two items share several clusters have a row. Policies for missing and spurious items other
          than
          exclude do not enter: where items are in several clusters they are for the sizes.
class:    exact
see also: near_share__v1, block_total__v1, pair_value__v1
*/
with

item_subset as (
    select run_no, item_no, subset_no
    from base.partition_item_segment__v1
    join base.subset_cell using (condition_no, segment_no)
),

counted as (
    select run_no, profile_no, 0 as subset_no, block_no, n_gold, n_system
    from metric.partition_near_share__v1
    union all
    select run_no, profile_no, subset_no, block_no, n_gold, n_system
    from metric.partition_near_share__v1
    join item_subset as one using (run_no)
    join item_subset as other using (run_no, subset_no)
    where one.item_no = first_no and other.item_no = second_no
)

select
    run_no, profile_no, subset_no, block_no,
    whole_sum(case when n_gold > 1 then 2 * (n_gold - 1) else 0 end) as n_gold_link,
    whole_sum(case when n_system > 1 then 2 * (n_system - 1) else 0 end) as n_system_link,
    whole_sum(
        case when n_gold * n_system > 1 then 2 * (n_gold * n_system - 1) else 0 end
    ) as n_shared_link
from counted
group by run_no, profile_no, subset_no, block_no
