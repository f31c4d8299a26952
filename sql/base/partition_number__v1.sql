/*
title:    The numbers from 1 to the items of a run: what sums over a range are made with
formula:  1, 2, ..., items of the gold and of the run
source:   Our own: items are numbered without gaps, and not every engine can count by itself
inputs:   registry.run, base.partition_item, base.partition_extra_item
grain:    run_no, number
columns:
    run_no  key  run
    number  key  1 to the number of items
class:    exact
see also: partition_block__v1
*/
select run_no, item_no as number
from registry.run join base.partition_item using (condition_no)
union all
select run_no, item_no as number from base.partition_extra_item
