/*
title:    Clusters of either side that the other side has whole
formula:  a cluster counts where a cluster of the other side has the same items and no others
source:   Our own: clusters are sets, so each side counts its existing clusters
inputs:   metric.partition_shared_cell__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no          key    run
    profile_no      key    scoring profile
    subset_no       key    subset; 0 is all
    block_no        key    block
    n_gold_found    count  gold clusters that are a cluster of the run too
    n_system_found  count  clusters of the run that are a gold cluster too
    n_single_found  count  pairs of such clusters of one item
edges:    The two numbers are the same unless two clusters of a side have the same items.
          A block without such clusters has no row.
class:    exact
see also: block_total__v1, overlap_value__v1
*/
with side as (
    select
        cell.*, is_system, case when is_system = 1 then system_no else gold_no end as cluster_no,
        case when is_system = 0 and n_overlap = 1 then n_cell else 0 end as n_alone
    from metric.partition_shared_cell__v1 as cell
    cross join (select 0 as is_system union all select 1 as is_system) as side
    where n_overlap = n_gold_size and n_overlap = n_system_size
),

-- a named cluster once, however many are the same as it
cluster_once as (
    select
        run_no, profile_no, subset_no, block_no, is_system,
        case when cluster_no = -1 then whole_sum(n_cell) else cast(1 as bigint) end as n_once,
        whole_sum(n_alone) as n_alone
    from side group by run_no, profile_no, subset_no, block_no, is_system, cluster_no
)

select
    run_no, profile_no, subset_no, block_no, whole_sum((1 - is_system) * n_once) as n_gold_found,
    whole_sum(is_system * n_once) as n_system_found, whole_sum(n_alone) as n_single_found
from cluster_once group by all
