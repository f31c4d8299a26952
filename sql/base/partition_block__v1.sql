/*
title:    The blocks of a partition run, in each subset: those of the gold, and its own
formula:  all: blocks of the condition, and blocks that only the run has; another subset: the blocks of its items
source:   Our own: a gold block without an answer is an empty answer, a block without gold holds spurious items
inputs:   registry.run, base.partition_gold_cluster, base.block, base.partition_extra_block,
          base.partition_item_segment__v1, base.subset, base.subset_cell
grain:    run_no, subset_no, block_no
columns:
    run_no     key  run
    subset_no  key  subset; 0 is all
    block_no   key  block
edges:    Runs of other tasks are not here.
          A subset without an item has block 1, which is then empty.
class:    exact
see also: partition_cell__v1, partition_subset_cell__v1
*/
with partitioned as (
    select distinct run_no, condition_no
    from registry.run join base.partition_gold_cluster using (condition_no)
),

touched as (
    select distinct run_no, subset_no, item.block_no as touched_no
    from base.partition_item_segment__v1 as item
    join base.subset_cell using (condition_no, segment_no)
)

select run_no, 0 as subset_no, block_no
from partitioned join base.block using (condition_no)
union all
select run_no, 0 as subset_no, block_no from base.partition_extra_block
union all
select run_no, subset_no, coalesce(touched_no, 1) as block_no
from partitioned join base.subset using (condition_no)
left join touched using (run_no, subset_no)
where subset_no > 0
