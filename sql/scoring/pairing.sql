/*
title:  The rows of metric.partition_search__v1, of pairings that were found
*/
select
    cast(run_no as integer) as run_no, cast(profile_no as integer) as profile_no,
    cast(subset_no as integer) as subset_no, cast(block_no as integer) as block_no,
    cast(n_search_item as bigint) as n_search_item, cast(search_similarity as decimal(38, 0)) as search_similarity,
    cast(is_made as integer) as is_made, case when is_made = 0 then 'search' end as null_reason
from scope.pairing
