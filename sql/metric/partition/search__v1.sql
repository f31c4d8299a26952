/*
title:    The best one-to-one pairing of the clusters that need a search
formula:  largest sum of overlaps, and largest sum of similarities, over one-to-one pairs of clusters of the open cells
source:   X. Luo, On Coreference Resolution Performance Metrics (2005), section 3; H. Kuhn, The Hungarian method (1955)
inputs:   metric.partition_matching_cell__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no             key          run
    profile_no         key          scoring profile
    subset_no          key          subset; 0 is all
    block_no           key          block
    n_search_item      count        items of the pairs
    search_similarity  fixed 1e-15  similarity of the pairs
    is_made        flag         1: the search was made; 0: not, because SQL has no search, or because it takes long
                                    (`tdtsql score --metric ceaf_e_f1` makes it)
edges:    SQL cannot say it: this SELECT has the blocks that need a search, and 0. When numbers are scored, the
          rows are
          those of the scorer, which searches each group of neighbours (shortest augmenting paths, in whole numbers).
class:    exact
see also: star__v1, assignment_value__v1
*/
select
    run_no, profile_no, subset_no, block_no,
    cast(0 as bigint) as n_search_item,
    cast(0 as decimal(38, 0)) as search_similarity,
    0 as is_made
from metric.partition_matching_cell__v1
where centre = 0
group by run_no, profile_no, subset_no, block_no
