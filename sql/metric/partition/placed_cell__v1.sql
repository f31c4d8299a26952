/*
title:    Cells after the policy for noise
formula:  noise_cluster = singleton: each item of the noise cluster is a separate cluster (system_no = -1); missing:
          in none (0)
source:   M. Ester et al., A Density-Based Algorithm for Discovering Clusters (1996), section 3 (noise)
inputs:   base.partition_cell__v1, base.partition_subset_cell__v1, base.partition_several_run__v1, registry.run,
          registry.condition_profile, registry.profile
grain:    run_no, profile_no, subset_no, block_no, gold_no, system_no
columns:
    run_no      key    run
    profile_no  key    scoring profile
    subset_no   key    subset; 0 is all
    block_no    key    block
    gold_no     key    gold cluster; 0: none
    system_no   key    cluster of the run; 0: none; -1: each item its own
    n_item      count  items
edges:    A profile that does not say is read as keep.
          Runs in which an item is in several clusters of a side are in membership__v1 instead.
class:    exact
see also: kept_cell__v1, membership__v1
*/
with cell as (
    select run_no, 0 as subset_no, block_no, gold_no, system_no, is_noise, n_item from base.partition_cell__v1
    union all
    select run_no, subset_no, block_no, gold_no, system_no, is_noise, n_item from base.partition_subset_cell__v1
),

chosen as (
    select
        cell.*, profile_no,
        case
            when is_noise = 1 and noise_cluster = 'singleton' then -1
            when is_noise = 1 and noise_cluster = 'missing' then 0
            else system_no
        end as placed_no
    from cell join registry.run using (run_no) join registry.condition_profile using (condition_no)
    join registry.profile using (profile_no)
    where not exists (select 1 from base.partition_several_run__v1 as several where several.run_no = cell.run_no)
)

select run_no, profile_no, subset_no, block_no, gold_no, placed_no as system_no, whole_sum(n_item) as n_item
from chosen where gold_no <> 0 or placed_no <> 0 group by all
