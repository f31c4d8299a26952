/*
title:       Clusters that merge gold clusters
question:    How many gold clusters does each cluster of a run mix, and how large is its largest part?
about:       clusters
inputs:      base.partition_cell__v1, base.partition_gold_cluster, base.partition_cluster, base.block,
             registry.condition, registry.run
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    parts      count      2     parts at least
grain:       condition_id, run_id, block_id, cluster_id
columns:
    condition_id  key    evaluation condition
    run_id        key    run
    block_id      key    block; NULL for a block that the gold does not have
    cluster_id    key    cluster of the run
    n_item        count  items that are in it
    n_part        count  gold clusters they are of; an item without gold is a part by itself
    n_largest     count  items of the largest part
    n_no_gold     count  items that are in no gold cluster
    largest_part  text   gold cluster that has it, of several the first by name; NULL where none has gold
order:       Conditions and runs by name, the cluster with the most parts first.
edges:       As the files say, before the policies of a profile; an item in several clusters counts in each.
see also:    split_clusters, metric.partition_cluster
*/
with

part as (
    select run_no, gold_no, system_no, sum(n_item)::bigint as n_item
    from base.partition_cell__v1
    where system_no <> 0
    group by run_no, gold_no, system_no
),

named as (
    select part.*, run.condition_no, cluster_id
    from part
    join registry.run using (run_no)
    left join base.partition_gold_cluster as gold
        on gold.condition_no = run.condition_no
        and gold.cluster_no = part.gold_no
),

whole as (
    select
        run_no, condition_no, system_no,
        sum(n_item)::bigint as n_item,
        sum(case when gold_no = 0 then n_item else 1 end)::bigint as n_part,
        max(case when gold_no = 0 then 1 else n_item end) as n_largest,
        coalesce(sum(n_item) filter (where gold_no = 0), 0)::bigint as n_no_gold,
        arg_min(cluster_id, (-n_item, cluster_id)) filter (where gold_no <> 0) as largest_part
    from named
    group by run_no, condition_no, system_no
)

select condition_id, run_id, block_id, own.cluster_id, n_item, n_part, n_largest, n_no_gold, largest_part
from whole
join registry.run using (run_no)
join registry.condition on condition.condition_no = whole.condition_no
join base.partition_cluster as own
    on own.run_no = whole.run_no
    and own.cluster_no = whole.system_no
left join base.block
    on block.condition_no = whole.condition_no
    and block.block_no = own.block_no
where n_part >= $parts
    and run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
order by condition_id, run_id, n_part desc, n_item desc, block_id nulls last, own.cluster_id
