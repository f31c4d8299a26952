/*
title:    Cells that have both a gold cluster and a cluster of the run, with their sizes
formula:  overlap n(i, j), sizes a(i) and b(j)
source:   L. Hubert, P. Arabie, Comparing partitions (1985), table 1
inputs:   metric.partition_cell__v1, metric.partition_cluster__v1
grain:    run_no, profile_no, subset_no, block_no, gold_no, system_no
columns:
    run_no         key    run
    profile_no     key    scoring profile
    subset_no      key    subset; 0 is all
    block_no       key    block
    gold_no        key    gold cluster; -1: each item its own; -2: the one of items without gold
    system_no      key    cluster of the run; -1: each item its own; -2: the one of items without answer
    n_cell         count  cells of the row: 1, or more where a side is -1
    n_overlap      count  items that each of them shares
    n_gold_size    count  items of the gold cluster
    n_system_size  count  items of the cluster of the run
class:    exact
see also: cell__v1, cluster__v1
*/
with gold as (select *, cluster_no as gold_no from metric.partition_cluster__v1 where is_system = 0),

response as (select *, cluster_no as system_no from metric.partition_cluster__v1 where is_system = 1)

select
    run_no, profile_no, subset_no, block_no, gold_no, system_no,
    case when gold_no = -1 or system_no = -1 then n_item else cast(1 as bigint) end as n_cell,
    case when gold_no = -1 or system_no = -1 then cast(1 as bigint) else n_item end as n_overlap,
    gold.n_size as n_gold_size, response.n_size as n_system_size
from metric.partition_cell__v1 join gold using (run_no, profile_no, subset_no, block_no, gold_no)
join response using (run_no, profile_no, subset_no, block_no, system_no)
where gold_no <> 0 and system_no <> 0
