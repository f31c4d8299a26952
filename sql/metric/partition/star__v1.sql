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
with part as (
    select run_no, profile_no, subset_no, block_no, max(n_overlap) as n_best, max(similarity) as best, 0 as is_open
    from metric.partition_matching_cell__v1 where centre in (1, 2)
    group by run_no, profile_no, subset_no, block_no, centre, case when centre = 1 then gold_no else system_no end
    union all
    select
        run_no, profile_no, subset_no, block_no, case when centre = 3 then n_cell else 0 end as n_best,
        case when centre = 3 then similarity * n_cell else 0 end as best,
        case when centre = 0 then 1 else 0 end as is_open
    from metric.partition_matching_cell__v1 where centre in (0, 3)
)

select
    run_no, profile_no, subset_no, block_no, whole_sum(n_best) as n_star_item, sum(best) as similarity,
    whole_sum(is_open) as n_open
from part group by all
