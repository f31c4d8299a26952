/*
title:       Items that no run assigns
question:    Which gold items does no run of a condition assign to a cluster?
about:       clusters
inputs:      base.partition_gold, base.partition_item, base.partition_gold_cluster, base.partition_answer, base.block,
             registry.counted_run
parameters:
    condition  condition  none  one condition; none: all
    runs       count      none  runs at least that leave the item out; none: all runs of the condition
grain:       condition_id, block_id, item_id
columns:
    condition_id  key    evaluation condition
    block_id      key    block
    item_id       key    item
    gold_cluster  text   its gold cluster, of several the first by name
    n_run         count  runs of the condition that are not withdrawn
    n_nowhere     count  those that put the item nowhere
order:       Conditions by name, items that most runs leave out first.
edges:       As the files say, before the policies of a profile: what the items that a run leaves out cost is a policy.
see also:    split_clusters, costly_cluster_pairs
*/
with

item as (
    select condition_no, block_no, item_no, item_id, min(cluster_id) as gold_cluster
    from base.partition_item
    join base.partition_gold using (condition_no, item_no)
    join base.partition_gold_cluster using (condition_no, block_no, cluster_no)
    group by condition_no, block_no, item_no, item_id
),

placed as (
    select condition_no, item_no, count(distinct run_no) as n_placed
    from registry.counted_run
    join base.partition_answer using (run_no)
    group by condition_no, item_no
),

total as (
    select condition_no, condition_id, count(*) as n_run
    from registry.counted_run
    group by condition_no, condition_id
)

select condition_id, block_id, item_id, gold_cluster, n_run, n_run - coalesce(n_placed, 0) as n_nowhere
from item
join total using (condition_no)
join base.block using (condition_no, block_no)
left join placed using (condition_no, item_no)
where n_nowhere >= coalesce($runs, n_run)
    and condition_id = coalesce($condition, condition_id)
order by condition_id, n_nowhere desc, block_id, item_id
