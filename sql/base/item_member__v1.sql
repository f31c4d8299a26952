/*
title:    What a run has on every item of every subset
source:   Our own: an item is in the subset of each of its attributes
inputs:   base.item_value__v1, base.item, base.subset_cell, registry.run
grain:    run_no, subset_no, measure_no, block_no
columns:
    run_no      key    run
    subset_no   key    subset; 0 is all
    measure_no  key    measure
    block_no    key    item
    value       score  mean of its samples; NULL where none is scored
    n_sample    count  scored samples
    n_unscored  count  samples without a score
    n_error     count  samples that the file calls failed
    weight      weight  weight; NULL where the condition names none
    group_no    number  group; NULL where it has none
    cluster_no  number  cluster; NULL where the condition names none
edges:    Items that the run lacks are not here.
class:    exact
*/
select run_no, 0 as subset_no, measure_no, block_no, value, n_sample, n_unscored, n_error, weight, group_no, cluster_no
from base.item_value__v1 join registry.run using (run_no)
join base.item using (condition_no, block_no)
union all
select run_no, subset_no, measure_no, block_no, value, n_sample, n_unscored, n_error, weight, group_no, cluster_no
from base.item_value__v1 join registry.run using (run_no)
join base.item using (condition_no, block_no)
join base.subset_cell using (condition_no, block_no)
