/*
title:       Gold clusters split by a run
question:    Over how many clusters of the run is each gold cluster spread, and how large is its largest part?
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
    block_id      key    block
    cluster_id    key    gold cluster
    n_item        count  items that are in it
    n_part        count  clusters of the run they are in; an item that the run puts nowhere is a part by itself
    n_largest     count  items of the largest part
    n_nowhere     count  items that the run puts nowhere
    largest_part  text   cluster of the run that has it, of several the first by name; NULL where all are nowhere
order:       Conditions and runs by name, the gold cluster with the most parts first.
edges:       As the files say, before the policies of a profile; an item in several clusters counts in each.
see also:    merged_clusters, metric.partition_cluster
*/
with

part as (
    select run_no, gold_no, system_no, sum(n_item)::bigint as n_item
    from base.partition_cell__v1
    where gold_no <> 0
    group by run_no, gold_no, system_no
),

named as (
    select part.*, cluster_id
    from part
    left join base.partition_cluster
        on partition_cluster.run_no = part.run_no
        and partition_cluster.cluster_no = part.system_no
),

whole as (
    select
        run_no, gold_no,
        sum(n_item)::bigint as n_item,
        sum(case when system_no = 0 then n_item else 1 end)::bigint as n_part,
        max(case when system_no = 0 then 1 else n_item end) as n_largest,
        coalesce(sum(n_item) filter (where system_no = 0), 0)::bigint as n_nowhere,
        arg_min(cluster_id, (-n_item, cluster_id)) filter (where system_no <> 0) as largest_part
    from named
    group by run_no, gold_no
)

select condition_id, run_id, block_id, gold.cluster_id, n_item, n_part, n_largest, n_nowhere, largest_part
from whole
join registry.run using (run_no)
join registry.condition using (condition_no)
join base.partition_gold_cluster as gold
    on gold.condition_no = run.condition_no
    and gold.cluster_no = whole.gold_no
join base.block
    on block.condition_no = run.condition_no
    and block.block_no = gold.block_no
where n_part >= $parts
    and run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
order by condition_id, run_id, n_part desc, n_item desc, block_id, gold.cluster_id
