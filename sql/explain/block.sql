/*
title:    The number of a block of a condition, or of one that only the run has; known: first blocks of the condition
*/
select
    (
        select block_no
        from base.block
        where condition_no = $condition_no and block_id = $block
        union all
        select block_no
        from base.partition_extra_block
        where run_no = $run_no and block_id = $block
        limit 1
    ) as block_no,
    (
        select string_agg(block_id, ', ' order by block_no)
        from (from base.block where condition_no = $condition_no order by block_no limit 6)
    ) as known
