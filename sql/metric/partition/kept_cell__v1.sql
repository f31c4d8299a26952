/*
title:    Cells after the policy for clusters of one item
formula:  singleton_cluster = drop: a cluster of one item is removed from its side; drop_system_item: an item that
          is
          alone in its cluster of the run is removed from both sides
source:   CorefUD scorer (clusters of one mention are removed from both sides by default); H. Otto et al., Clustering
          Millions of Faces by Identity (2018), section 5 (after removing singleton clusters)
inputs:   metric.partition_placed_cell__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no, gold_no, system_no
columns:
    run_no      key    run
    profile_no  key    scoring profile
    subset_no   key    subset; 0 is all
    block_no    key    block
    gold_no     key    gold cluster; 0: none
    system_no   key    cluster of the run; 0: none; -1: each item its own
    n_item      count  items
edges:    A profile that does not say keeps them.
class:    exact
see also: placed_cell__v1, cell__v1
*/
-- sizes where a profile asks for them
with gold as (
    select run_no, profile_no, subset_no, gold_no, whole_sum(n_item) as n_gold_item
    from metric.partition_placed_cell__v1 join registry.profile using (profile_no)
    where singleton_cluster <> 'keep'
    group by all
),

response as (
    select run_no, profile_no, subset_no, system_no, whole_sum(n_item) as n_system_item
    from metric.partition_placed_cell__v1 join registry.profile using (profile_no)
    where singleton_cluster <> 'keep'
    group by all
),

marked as (
    select
        placed.*, singleton_cluster,
        case when system_no = -1 or system_no > 0 and n_system_item = 1 then 1 else 0 end as is_system_single,
        case when gold_no > 0 and n_gold_item = 1 and singleton_cluster = 'drop' then 0 else gold_no end
            as left_gold_no,
        case when is_system_single = 1 and singleton_cluster = 'drop' then 0 else system_no end as left_system_no
    from metric.partition_placed_cell__v1 as placed join registry.profile using (profile_no)
    left join gold using (run_no, profile_no, subset_no, gold_no)
    left join response using (run_no, profile_no, subset_no, system_no)
)

select
    run_no, profile_no, subset_no, block_no, left_gold_no as gold_no, left_system_no as system_no,
    whole_sum(n_item) as n_item
from marked
where (left_gold_no <> 0 or left_system_no <> 0)
    and case when is_system_single = 1 and singleton_cluster = 'drop_system_item' then 0 else 1 end = 1
group by all
