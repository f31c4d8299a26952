/*
title:    The blocks of each subset of a condition
source:   Our own: all blocks are the subset 0, which no table lists
inputs:   base.block, base.subset_cell
grain:    condition_no, subset_no, block_no
columns:
    condition_no  key  condition
    subset_no     key  subset; 0 is all
    block_no      key  block
edges:    For tasks whose subsets are of blocks; others have subsets of the stories in a block.
class:    exact
*/
select condition_no, 0 as subset_no, block_no from base.block
union all
select condition_no, subset_no, block_no from base.subset_cell where block_no > 0 and segment_no = 0
