/*
title:    The best one-to-one pairing of the clusters that need a search
formula:  largest sum of overlaps, and largest sum of similarities, over one-to-one pairs of clusters of the open cells
source:   X. Luo, On Coreference Resolution Performance Metrics (2005), section 3; H. Kuhn, The Hungarian method (1955)
inputs:   metric.partition_matching_cell__v1, ledger.result_pairing, ledger.current_computation
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no             key          run
    profile_no         key          scoring profile
    subset_no          key          subset; 0 is all
    block_no           key          block
    n_search_item      count        items of the pairs; NULL: see null_reason
    search_similarity  fixed 1e-15  similarity of the pairs
    is_made            flag         1: the search was made; 0: it takes long (`tdtsql score --metric ceaf_e_f1` makes
                                    it), or nothing is stored
    null_reason        text         external: no current result is stored; search: it takes long and was not requested
edges:    The rows are those of the blocks with open cells; the pairing is the stored result of the last scoring.
class:    external: an optimal assignment is a search (shortest augmenting paths, in whole numbers)
module:   tdtsql.scoring.pairing
see also: star__v1, assignment_value__v1
*/
with open_block as (
    select run_no, profile_no, subset_no, block_no from metric.partition_matching_cell__v1 where centre = 0 group by all
),

stored as (
    select run_no, profile_no, subset_no, block_no, n_search_item, search_similarity, is_made as was_made
    from ledger.result_pairing join ledger.current_computation using (computation_no)
)

select
    run_no, profile_no, subset_no, block_no, n_search_item, search_similarity, coalesce(was_made, 0) as is_made,
    case coalesce(was_made, -1) when -1 then 'external' when 0 then 'search' end as null_reason
from open_block
left join stored using (run_no, profile_no, subset_no, block_no)
