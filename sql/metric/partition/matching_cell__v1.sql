/*
title:    Cells of which a one-to-one pairing of clusters takes the best, and whether that needs a search
formula:  clusters that share an item are neighbours; a group of neighbours with one cluster on a side is a star, whose
          best pair is its best cell; cells of every other group are open
source:   X. Luo, On Coreference Resolution Performance Metrics (2005), section 3 (CEAF: the best one-to-one map)
inputs:   metric.partition_shared_cell__v1
grain:    run_no, profile_no, subset_no, block_no, gold_no, system_no
columns:
    run_no         key          run
    profile_no     key          scoring profile
    subset_no      key          subset; 0 is all
    block_no       key          block
    gold_no        key          gold cluster; -1: each item its own; -2: the one of items without gold
    system_no      key          cluster of the run; -1: each item its own; -2: the one of items without answer
    n_cell         count        cells of the row
    n_overlap      count        items that each shares
    similarity     fixed 1e-15  2 n / (a + b)
    centre         number       1: star around the gold cluster; 2: around the cluster of the run; 3: two single items;
                                0: open
class:    exact
see also: star__v1, search__v1
*/
with

-- a cluster of one item has one neighbour
gold_degree as (
    select run_no, profile_no, subset_no, block_no, gold_no,
        case when gold_no = -1 then 1 else whole_sum(n_cell) end as n_system
    from metric.partition_shared_cell__v1
    group by run_no, profile_no, subset_no, block_no, gold_no
),

system_degree as (
    select run_no, profile_no, subset_no, block_no, system_no,
        case when system_no = -1 then 1 else whole_sum(n_cell) end as n_gold
    from metric.partition_shared_cell__v1
    group by run_no, profile_no, subset_no, block_no, system_no
),

-- the most neighbours of a neighbour
around_gold as (
    select run_no, profile_no, subset_no, block_no, gold_no, max(n_gold) as most_gold
    from metric.partition_shared_cell__v1 join system_degree using (run_no, profile_no, subset_no, block_no, system_no)
    group by all
),

around_system as (
    select run_no, profile_no, subset_no, block_no, system_no, max(n_system) as most_system
    from metric.partition_shared_cell__v1 join gold_degree using (run_no, profile_no, subset_no, block_no, gold_no)
    group by all
)

select
    run_no, profile_no, subset_no, block_no, gold_no, system_no, n_cell, n_overlap,
    whole_units(ratio(2e0 * n_overlap, n_gold_size + n_system_size)) as similarity,
    case
        when gold_no = -1 and system_no = -1 then 3 when gold_no <> -1 and most_gold = 1 then 1
        when system_no <> -1 and most_system = 1 then 2 else 0
    end as centre
from metric.partition_shared_cell__v1 join around_gold using (run_no, profile_no, subset_no, block_no, gold_no)
join around_system using (run_no, profile_no, subset_no, block_no, system_no)
