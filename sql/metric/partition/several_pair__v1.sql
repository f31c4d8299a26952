/*
title:    Items in several clusters of a side, with every pair of their clusters, one of each side
formula:  a row for each cluster of the item on the own side and each on the other; other_no = 0 where it has none there
source:   E. Amigo et al., A comparison of extrinsic clustering evaluation metrics (2009), section 5 (overlapping
          clustering)
inputs:   base.partition_overlapping__v1, base.partition_item_segment__v1, base.subset_cell
grain:    run_no, subset_no, item_no, is_system, cluster_no, other_no
columns:
    run_no      key    run
    subset_no   key    subset; 0 is all
    item_no     key    item
    is_system   key    1: own are the clusters of the run; 0: of the gold
    cluster_no  key    cluster of the own side
    other_no    key    cluster of the other side; 0: none
    n_own       count  clusters of the item on the own side
    n_other     count  on the other
class:    exact
see also: several_ratio__v1
*/
with

membership as (
    select run_no, story_no as item_no, block_no as cluster_no, is_response as is_system
    from base.partition_overlapping__v1
),

several as (
    select
        run_no, item_no,
        whole_sum(1 - is_system) as n_gold,
        whole_sum(is_system) as n_system
    from membership
    group by run_no, item_no
    having whole_sum(is_system) > 1 or whole_sum(1 - is_system) > 1
),

item as (
    select run_no, item_no, 0 as subset_no, n_gold, n_system
    from several
    union all
    select run_no, item_no, subset_no, n_gold, n_system
    from several
    join base.partition_item_segment__v1 using (run_no, item_no)
    join base.subset_cell using (condition_no, segment_no)
),

member as (
    select
        run_no, subset_no, item_no, is_system, cluster_no,
        case when is_system = 1 then n_system else n_gold end as n_own,
        case when is_system = 1 then n_gold else n_system end as n_other
    from item
    join membership using (run_no, item_no)
)

select
    run_no, subset_no, item_no, own.is_system, own.cluster_no,
    other.cluster_no as other_no,
    own.n_own, own.n_other
from member as own
join member as other using (run_no, subset_no, item_no)
where own.is_system + other.is_system = 1
union all
select run_no, subset_no, item_no, is_system, cluster_no, 0 as other_no, n_own, n_other
from member
where n_other = 0
