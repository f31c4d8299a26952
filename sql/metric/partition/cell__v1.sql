/*
title:    Cells after the policies for items that one side lacks: the input of all metrics of a partition
formula:  missing_item (gold, no cluster of the run) and spurious_item (the other way round): exclude: counted on their
          own
          side only; drop: taken out; singleton: each a separate cluster on the other side (-1); one_cluster: all of a
          block in one further cluster of the other side (-2); runs in which an item is in several clusters: the pairs
          of clusters of membership__v1
source:   V. Stoyanov et al., Conundrums in Noun Phrase Coreference Resolution (2009), section 3.3 (twinless mentions);
          CoNLL scorer 8.01 (exclude), er-evaluation (drop), PAN (singleton), scikit-learn with label -1 (one_cluster)
inputs:   metric.partition_kept_cell__v1, metric.partition_membership__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no, gold_no, system_no
columns:
    run_no      key    run
    profile_no  key    scoring profile
    subset_no   key    subset; 0 is all
    block_no    key    block
    gold_no     key    gold cluster; 0: none; -1: each item its own; -2: the one of items without gold; below: one item
    system_no   key    cluster of the run; 0: none; -1: each item its own; -2: the one of items without answer; below:
                       one item
    n_item      count  items
    n_gold      count  of them, those that count in the size of the gold cluster
    n_system    count  of them, those that count in the size of the cluster of the run
    n_repeat    count  of them, items that are in an earlier cluster of a side too
edges:    error is checked when a run is loaded; here it is as exclude. A profile that does not say excludes.
          An item in several clusters is in a cell for each pair of them, and counts once in the size of each: where no
          item is, n_item = n_gold = n_system.
class:    exact
see also: kept_cell__v1, membership__v1, cluster__v1, shared_cell__v1
*/
with placed as (
    select
        *,
        case
            when gold_no <> 0 then gold_no when spurious_item = 'singleton' then -1
            when spurious_item = 'one_cluster' then -2 else 0
        end as placed_gold_no,
        case
            when system_no <> 0 then system_no when missing_item = 'singleton' then -1
            when missing_item = 'one_cluster' then -2 else 0
        end as placed_system_no
    from metric.partition_kept_cell__v1
    join (select profile_no, missing_item, spurious_item from registry.profile) as profile using (profile_no)
    where (system_no <> 0 or coalesce(missing_item, '') <> 'drop')
        and (gold_no <> 0 or coalesce(spurious_item, '') <> 'drop')
),

gold as (select *, cluster_no as gold_no, place as gold_place from metric.partition_membership__v1 where is_system = 0),

response as (
    select *, cluster_no as system_no, place as system_place from metric.partition_membership__v1 where is_system = 1
),

several as (
    select
        run_no, profile_no, subset_no, block_no, gold_no, coalesce(system_no, 0) as system_no, gold_place,
        coalesce(system_place, 1) as system_place
    from gold
    left join response using (run_no, profile_no, subset_no, block_no, item_no)
    union all
    select run_no, profile_no, subset_no, block_no, 0 as gold_no, system_no, 1 as gold_place, system_place
    from response
    left join gold using (run_no, profile_no, subset_no, block_no, item_no)
    where coalesce(gold_no, 0) = 0
)

select
    run_no, profile_no, subset_no, block_no, placed_gold_no as gold_no, placed_system_no as system_no,
    whole_sum(n_item) as n_item, whole_sum(n_item) as n_gold, whole_sum(n_item) as n_system,
    cast(0 as bigint) as n_repeat
from placed group by all
union all
select
    run_no, profile_no, subset_no, block_no, gold_no, system_no, cast(count(*) as bigint) as n_item,
    count(*) filter (where system_place = 1) as n_gold, count(*) filter (where gold_place = 1) as n_system,
    count(*) filter (where gold_place + system_place > 2) as n_repeat
from several group by all
