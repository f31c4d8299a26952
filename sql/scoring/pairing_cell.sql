/*
title:  The pairs of clusters that are to be searched, with numbers of blocks and of both clusters from 0
*/
select
    run_no, profile_no, subset_no, block_no, n_overlap, cast(similarity as bigint) as similarity,
    dense_rank() over (order by run_no, profile_no, subset_no, block_no) - 1 as place,
    dense_rank() over (
        order by run_no, profile_no, subset_no, block_no, gold_no, case when gold_no = -1 then system_no end
    ) - 1 as gold,
    dense_rank() over (
        order by run_no, profile_no, subset_no, block_no, system_no, case when system_no = -1 then gold_no end
    ) - 1 as system
from metric.partition_matching_cell__v1
where centre = 0
order by gold, system
