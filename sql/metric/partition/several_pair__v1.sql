/*
title:    Items in several clusters of a side, with every pair of their clusters, one of each side
formula:  a row for each cluster of the item on the own side and each on the other; other_no = 0 where it has none there
source:   E. Amigo et al., A comparison of extrinsic clustering evaluation metrics (2009), section 5 (overlapping
          clustering)
inputs:   metric.partition_membership__v1
grain:    run_no, profile_no, subset_no, item_no, is_system, cluster_no, other_no
columns:
    run_no      key    run
    profile_no  key    scoring profile
    subset_no   key    subset; 0 is all
    item_no     key    item
    is_system   key    1: own are the clusters of the run; 0: of the gold
    cluster_no  key    cluster of the own side
    other_no    key    cluster of the other side; 0: none
    block_no    count  block of the item
    n_own       count  clusters of the item on the own side
    n_other     count  on the other
class:    exact
see also: membership__v1, several_ratio__v1
*/
with member as (
    select
        *, sum(case when is_system = 1 then 0 else 1 end) over item as n_gold, sum(is_system) over item as n_system,
        cast(case when is_system = 1 then n_system else n_gold end as bigint) as n_of_side,
        cast(case when is_system = 1 then n_gold else n_system end as bigint) as n_of_other
    from metric.partition_membership__v1
    window item as (partition by run_no, profile_no, subset_no, block_no, item_no)
    qualify max(n_own) over item > 1
)

select
    run_no, profile_no, subset_no, item_no, own.is_system, own.cluster_no, other.cluster_no as other_no, block_no,
    own.n_of_side as n_own, own.n_of_other as n_other
from member as own
join member as other using (run_no, profile_no, subset_no, block_no, item_no)
where own.is_system + other.is_system = 1
union all
select
    run_no, profile_no, subset_no, item_no, is_system, cluster_no, 0 as other_no, block_no, n_of_side as n_own,
    n_of_other as n_other
from member where n_of_other = 0
