/*
title:    Pairs of items that cells and clusters count more than once, because the two share several clusters
formula:  a pair that shares g gold clusters and s clusters of the run counts g times in the pairs of gold clusters,
          s times in those of the run and g s times in those of cells: the excess over 1 each
source:   E. Amigo et al., A comparison of extrinsic clustering evaluation metrics (2009), section 5 (multiplicity of a
          pair)
inputs:   metric.partition_near_pair__v1, base.partition_gold, base.partition_answer, base.partition_gold_cluster,
          base.partition_cluster, base.partition_item_segment__v1, base.subset_cell
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
see also: block_total__v1, pair_value__v1
*/
with

pair_item as (
    select run_no, profile_no, condition_no, is_first_only, first_no as item_no
    from metric.partition_near_pair__v1
    union all
    select run_no, profile_no, condition_no, is_first_only, second_no as item_no
    from metric.partition_near_pair__v1
),

-- of these items alone: all others would be paired in vain
item as (
    select run_no, profile_no, condition_no, is_first_only, item_no
    from pair_item
    group by run_no, profile_no, condition_no, is_first_only, item_no
),

gold_near as (
    select run_no, profile_no, item_no, cluster_no
    from item
    join base.partition_gold using (condition_no, item_no)
),

answer_near as (
    select run_no, profile_no, item_no, cluster_no
    from item
    join base.partition_answer using (run_no, item_no)
    where case when is_first_only = 1 and place > 1 then 0 else 1 end = 1
),

gold_shared as (
    select run_no, profile_no, first_no, second_no, max(one.cluster_no) as gold_no, count(*) as n_gold
    from metric.partition_near_pair__v1
    join gold_near as one using (run_no, profile_no)
    join gold_near as other using (run_no, profile_no, cluster_no)
    where one.item_no = first_no and other.item_no = second_no
    group by run_no, profile_no, first_no, second_no
),

system_shared as (
    select run_no, profile_no, first_no, second_no, max(one.cluster_no) as system_no, count(*) as n_system
    from metric.partition_near_pair__v1
    join answer_near as one using (run_no, profile_no)
    join answer_near as other using (run_no, profile_no, cluster_no)
    where one.item_no = first_no and other.item_no = second_no
    group by run_no, profile_no, first_no, second_no
),

gold_block as (
    select condition_no, cluster_no as gold_no, block_no as gold_block_no
    from base.partition_gold_cluster
),

system_block as (
    select run_no, cluster_no as system_no, block_no as system_block_no
    from base.partition_cluster
),

item_subset as (
    select run_no, item_no, subset_no
    from base.partition_item_segment__v1
    join base.subset_cell using (condition_no, segment_no)
),

subset_pair as (
    select run_no, profile_no, condition_no, 0 as subset_no, first_no, second_no
    from metric.partition_near_pair__v1
    union all
    select run_no, profile_no, condition_no, subset_no, first_no, second_no
    from metric.partition_near_pair__v1
    join item_subset as one using (run_no)
    join item_subset as other using (run_no, subset_no)
    where one.item_no = first_no and other.item_no = second_no
),

counted as (
    select
        run_no, profile_no, subset_no,
        coalesce(gold_block_no, system_block_no) as block_no,
        coalesce(n_gold, 0) as n_gold_both,
        coalesce(n_system, 0) as n_system_both
    from subset_pair
    left join gold_shared using (run_no, profile_no, first_no, second_no)
    left join system_shared using (run_no, profile_no, first_no, second_no)
    left join gold_block using (condition_no, gold_no)
    left join system_block using (run_no, system_no)
)

select
    run_no, profile_no, subset_no, block_no,
    whole_sum(case when n_gold_both > 1 then 2 * (n_gold_both - 1) else 0 end) as n_gold_link,
    whole_sum(case when n_system_both > 1 then 2 * (n_system_both - 1) else 0 end) as n_system_link,
    whole_sum(
        case when n_gold_both * n_system_both > 1 then 2 * (n_gold_both * n_system_both - 1) else 0 end
    ) as n_shared_link
from counted
group by run_no, profile_no, subset_no, block_no
