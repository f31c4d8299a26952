/*
title:    Pairs of items that cells and clusters count more than once, because the two share several clusters
formula:  a pair that shares g gold clusters and s clusters of the run counts g times in the pairs of gold clusters,
          s times in those of the run and g s times in those of cells: the excess over 1 each
source:   E. Amigo et al., A comparison of extrinsic clustering evaluation metrics (2009), section 5 (multiplicity of a
          pair)
inputs:   metric.partition_near_share__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no         key    run
    profile_no     key    scoring profile
    subset_no      key    subset; 0 is all
    block_no       key    block
    n_gold_link    count  ordered pairs counted too often in the gold clusters
    n_system_link  count  in the clusters of the run
    n_shared_link  count  in the cells
edges:    Only blocks where two items share several clusters have a row.
class:    exact
see also: near_share__v1, block_total__v1, pair_value__v1
*/
select
    run_no, profile_no, subset_no, block_no,
    whole_sum(case when n_gold > 1 then 2 * (n_gold - 1) else 0 end) as n_gold_link,
    whole_sum(case when n_system > 1 then 2 * (n_system - 1) else 0 end) as n_system_link,
    whole_sum(case when n_gold * n_system > 1 then 2 * (n_gold * n_system - 1) else 0 end) as n_shared_link
from metric.partition_near_share__v1 group by run_no, profile_no, subset_no, block_no
