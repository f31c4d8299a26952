/*
title:    The items of each measure of a condition
source:   Our own: without a list of items, the items of all runs are the possible ones
inputs:   registry.run, registry.condition, base.item, base.item_measure, base.item_score
fills:    base.item_of_measure
owner:    condition_no
after:    a run of the condition is loaded or dropped
class:    exact
*/
select distinct condition_no, measure_no, block_no
from base.item_score
join registry.run using (run_no)
where condition_no not in (select condition_no from base.item where is_listed = 1)
union all
select condition_no, measure_no, block_no
from base.item
join base.item_measure using (condition_no)
where is_listed = 1
