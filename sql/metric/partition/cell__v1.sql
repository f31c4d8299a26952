/*
title:    Cells after the policies for items that one side lacks: what all numbers of a partition are made of
formula:  missing_item (gold, no cluster of the run) and spurious_item (the other way round): exclude: counted on their
          own
          side only; drop: taken out; singleton: each a cluster of its own on the other side (-1); one_cluster: all of a
          block in one further cluster of the other side (-2)
source:   V. Stoyanov et al., Conundrums in Noun Phrase Coreference Resolution (2009), section 3.3 (twinless mentions);
          CoNLL scorer 8.01 (exclude), er-evaluation (drop), PAN (singleton), scikit-learn with label -1 (one_cluster)
inputs:   metric.partition_kept_cell__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no, gold_no, system_no
columns:
    run_no      key    run
    profile_no  key    scoring profile
    subset_no   key    subset; 0 is all
    block_no    key    block
    gold_no     key    gold cluster; 0: none; -1: each item its own; -2: the one of items without gold
    system_no   key    cluster of the run; 0: none; -1: each item its own; -2: the one of items without answer
    n_item      count  items (memberships, where items are in several clusters)
    n_gold      count  of them, those that count in the size of the gold cluster
    n_system    count  of them, those that count in the size of the cluster of the run
    n_repeat    count  of them, items that are in an earlier cluster of a side too
edges:    error is checked when a run is loaded; here it is as exclude. A profile that does not say excludes.
class:    exact
see also: kept_cell__v1, cluster__v1, shared_cell__v1
*/
with

placed as (
    select
        run_no, profile_no, subset_no, block_no,
        n_item as n_member, n_gold as n_gold_member, n_system as n_system_member, n_repeat as n_repeated,
        case when gold_no <> 0 then gold_no when spurious_item = 'singleton' then -1
            when spurious_item = 'one_cluster' then -2 else 0 end as placed_gold_no,
        case when system_no <> 0 then system_no when missing_item = 'singleton' then -1
            when missing_item = 'one_cluster' then -2 else 0 end as placed_system_no
    from metric.partition_kept_cell__v1
    join registry.profile using (profile_no)
    where
        case
            when system_no = 0 and missing_item = 'drop' then 0
            when gold_no = 0 and spurious_item = 'drop' then 0
            else 1
        end = 1
)

select
    run_no, profile_no, subset_no, block_no,
    placed_gold_no as gold_no,
    placed_system_no as system_no,
    whole_sum(n_member) as n_item,
    whole_sum(n_gold_member) as n_gold,
    whole_sum(n_system_member) as n_system,
    whole_sum(n_repeated) as n_repeat
from placed
group by run_no, profile_no, subset_no, block_no, placed_gold_no, placed_system_no
