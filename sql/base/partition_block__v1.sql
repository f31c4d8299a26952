/*
title:    The blocks of a partition run: those of the gold, and its own
formula:  blocks of the condition, and blocks that only the run has
source:   Our own: a gold block without an answer is an empty answer, a block without gold holds spurious items
inputs:   registry.run, base.partition_gold_cluster, base.block, base.partition_extra_block
grain:    run_no, block_no
columns:
    run_no    key   run
    block_no  key   block
    has_gold  flag  1: the gold has the block; 0: only the run has it
edges:    Runs of other tasks are not here.
class:    exact
see also: partition_cell__v1
*/
with

partitioned as (
    select condition_no
    from base.partition_gold_cluster
    group by condition_no
)

select run_no, block_no, 1 as has_gold
from registry.run
join partitioned using (condition_no)
join base.block using (condition_no)
union all
select run_no, block_no, 0 as has_gold
from base.partition_extra_block
