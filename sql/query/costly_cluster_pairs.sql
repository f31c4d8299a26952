/*
title:       The pairs of clusters that cost a run most
question:    Which pairs of gold clusters does a run merge, which gold clusters does it split, and how many pairs of
             items are wrong because of it?
about:       clusters
inputs:      base.partition_cell__v1, base.partition_gold_cluster, base.partition_cluster, base.block,
             registry.condition, registry.run
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    pairs      count      1     pairs of items at least
grain:       condition_id, run_id, kind, block_id, cluster_id, first_id, second_id
columns:
    condition_id  key    evaluation condition
    run_id        key    run
    kind          key    together: two gold clusters in one of the run; apart: one gold cluster in two of the run
    block_id      key    block
    cluster_id    key    where the two meet: cluster of the run, or gold cluster
    first_id      key    the two, by name
    second_id     key    the two, by name
    n_pair        count  pairs of items, one of each: n_first times n_second
    n_first       count  items of the first that exist
    n_second      count  items of the second that exist
order:       Conditions and runs by name, what costs most first.
edges:       As the files say, before the policies of a profile. An item that one side puts nowhere is in no pair of
             clusters (`unassigned_items`, `split_clusters`); one in several clusters counts in each.
see also:    split_clusters, merged_clusters, unassigned_items, metric.partition_pair_score
*/
with

cell as (
    select run_no, gold_no, system_no, sum(n_item)::bigint as n_item
    from base.partition_cell__v1
    where gold_no <> 0 and system_no <> 0
    group by run_no, gold_no, system_no
),

named as (
    select
        run_no, run_id, condition_id, block_id, gold_no, system_no, n_item,
        gold.cluster_id as gold_id,
        own.cluster_id as own_id
    from cell
    join registry.run using (run_no)
    join registry.condition using (condition_no)
    join base.partition_gold_cluster as gold
        on gold.condition_no = run.condition_no
        and gold.cluster_no = cell.gold_no
    join base.partition_cluster as own
        on own.run_no = cell.run_no
        and own.cluster_no = cell.system_no
    join base.block
        on block.condition_no = run.condition_no
        and block.block_no = gold.block_no
    where run_id = coalesce($run, run_id)
        and condition_id = coalesce($condition, condition_id)
),

pair as (
    select
        one.condition_id, one.run_id, 'together' as kind, one.block_id,
        one.own_id as cluster_id,
        one.gold_id as first_id,
        two.gold_id as second_id,
        one.n_item as n_first,
        two.n_item as n_second
    from named as one
    join named as two
        on two.run_no = one.run_no
        and two.system_no = one.system_no
        and two.gold_id > one.gold_id
    union all
    select
        one.condition_id, one.run_id, 'apart' as kind, one.block_id,
        one.gold_id as cluster_id,
        one.own_id as first_id,
        two.own_id as second_id,
        one.n_item as n_first,
        two.n_item as n_second
    from named as one
    join named as two
        on two.run_no = one.run_no
        and two.gold_no = one.gold_no
        and two.own_id > one.own_id
)

select
    condition_id, run_id, kind, block_id, cluster_id, first_id, second_id,
    n_first * n_second as n_pair,
    n_first, n_second
from pair
where n_first * n_second >= $pairs
order by condition_id, run_id, n_pair desc, kind desc, block_id, cluster_id, first_id, second_id
