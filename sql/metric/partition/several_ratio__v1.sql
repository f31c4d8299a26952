/*
title:    Extended B-CUBED precision and recall of items in several clusters of a side, after the policies
formula:  mean over the items f that share o > 0 clusters of the own side with the item, and t of the other, of
          min(o, t) / o
          n_near = sum of the sizes of its clusters, gain = sum of the overlaps of its pairs of clusters: these take f
          for o and for o t; where o or t is above 1 (near_share__v1, and the item itself) that is put right
source:   E. Amigo et al., A comparison of extrinsic clustering evaluation metrics (2009), section 5 (multiplicity
          precision and recall)
inputs:   metric.partition_several_pair__v1, metric.partition_cluster__v1, metric.partition_cell__v1,
          metric.partition_near_share__v1
grain:    run_no, profile_no, subset_no, is_system, item_no
columns:
    run_no      key           run
    profile_no  key           scoring profile
    subset_no   key           subset; 0 is all
    is_system   key           1: precision, over clusters of the run; 0: recall, over those of the gold
    item_no     key           item
    block_no    count         block of the item
    ratio       ratio [0, 1]  the mean
class:    exact
see also: several_pair__v1, extended_part__v1
*/
with item as (
    select
        run_no, profile_no, subset_no, item_no, max(case when is_system = 1 then n_other else n_own end) as n_gold,
        max(case when is_system = 1 then n_own else n_other end) as n_system
    from metric.partition_several_pair__v1 group by all
),

member as (
    select run_no, profile_no, subset_no, block_no, item_no, is_system, cluster_no
    from metric.partition_several_pair__v1 group by all
),

near as (
    select run_no, profile_no, subset_no, block_no, is_system, item_no, whole_sum(n_size) as n_near_item
    from member join metric.partition_cluster__v1 using (run_no, profile_no, subset_no, block_no, is_system, cluster_no)
    group by all
),

-- the same from either side
gain as (
    select run_no, profile_no, subset_no, item_no, whole_sum(n_item) as n_gain
    from metric.partition_several_pair__v1 as pair
    join metric.partition_cell__v1 as cell using (run_no, profile_no, subset_no, block_no)
    where is_system = 1 and other_no <> 0 and system_no = cluster_no and gold_no = other_no
    group by all
),

-- pairs in both directions, and each item with itself
shared as (
    select run_no, profile_no, subset_no, first_no as item_no, n_gold, n_system from metric.partition_near_share__v1
    union all
    select run_no, profile_no, subset_no, second_no as item_no, n_gold, n_system from metric.partition_near_share__v1
    union all
    select run_no, profile_no, subset_no, item_no, n_gold, n_system from item
),

shared_side as (
    select
        *, case when is_system = 1 then n_system else n_gold end as n_own,
        case when is_system = 1 then n_gold else n_system end as n_other
    from shared
    cross join (select 0 as is_system union all select 1 as is_system) as side
),

-- fixed point: whole numbers of 1e-15, summed exactly
mended as (
    select
        run_no, profile_no, subset_no, is_system, item_no, whole_sum(n_own - 1) as n_too_near,
        sum(
            case when n_other >= n_own then count_units(1) else whole_units(ratio(n_other, n_own)) end
            - count_units(n_own * n_other)
        ) as gain_too_few
    from shared_side where n_own > 0 and (n_own > 1 or n_other > 1) group by all
)

select
    run_no, profile_no, subset_no, is_system, item_no, block_no,
    ratio(
        cast(count_units(coalesce(n_gain, 0)) + coalesce(gain_too_few, 0) as double),
        1e15 * (n_near_item - coalesce(n_too_near, 0))
    ) as ratio
from near
left join gain using (run_no, profile_no, subset_no, item_no)
left join mended using (run_no, profile_no, subset_no, is_system, item_no)
