/*
title:    The number of a block of a condition, or of one that only the run has
*/
select block_no
from base.block
where condition_no = $condition_no and block_id = $block
union all
select block_no
from base.partition_extra_block
where run_no = $run_no and block_id = $block
