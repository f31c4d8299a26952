/*
title:    The best one-to-one pairing of clusters, as far as it needs no search
formula:  of each star its largest overlap and its largest similarity, added up
source:   X. Luo, On Coreference Resolution Performance Metrics (2005), section 3
inputs:   metric.partition_matching_cell__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no        key          run
    profile_no    key          scoring profile
    subset_no     key          subset; 0 is all
    block_no      key          block
    n_star_item   count        items of the pairs
    similarity    fixed 1e-15  similarity of the pairs
    n_open        count        cells of groups that need a search
class:    exact
see also: matching_cell__v1, search__v1
*/
with by_gold as (
    select
        run_no, profile_no, subset_no, block_no, gold_no as centre_no, max(n_overlap) as n_best, max(similarity) as best
    from metric.partition_matching_cell__v1
    where centre = 1
    group by run_no, profile_no, subset_no, block_no, gold_no
),

by_system as (
    select
        run_no, profile_no, subset_no, block_no, system_no as centre_no, max(n_overlap) as n_best,
        max(similarity) as best
    from metric.partition_matching_cell__v1
    where centre = 2
    group by run_no, profile_no, subset_no, block_no, system_no
),

part as (
    select run_no, profile_no, subset_no, block_no, n_best, best, 0 as n_cell_open
    from by_gold
    union all
    select run_no, profile_no, subset_no, block_no, n_best, best, 0 as n_cell_open
    from by_system
    union all
    select run_no, profile_no, subset_no, block_no, n_cell as n_best, similarity * n_cell as best, 0 as n_cell_open
    from metric.partition_matching_cell__v1
    where centre = 3
    union all
    select run_no, profile_no, subset_no, block_no, 0 as n_best, cast(0 as decimal(38, 0)) as best, 1 as n_cell_open
    from metric.partition_matching_cell__v1
    where centre = 0
)

select
    run_no, profile_no, subset_no, block_no, whole_sum(n_best) as n_star_item, sum(best) as similarity,
    whole_sum(n_cell_open) as n_open
from part
group by run_no, profile_no, subset_no, block_no
