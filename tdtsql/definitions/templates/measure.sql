/*
title:    {name}: say what it is
formula:  say how it is computed
source:   Our own: say why
tasks:    {task}
inputs:   base.item_value__v1, base.item_measure, registry.run
grain:    run_no, block_no
columns:
    run_no     key      run
    block_no   key      item
    {name}  number of score  what it is; NULL where it is undefined
    n_sample   count    scored samples
metrics:
    {name}  n=n_sample  best=highest  {name}
edges:    Of one measure, the one that ranks runs. A sample that failed counts as error_item says.
class:    exact
*/
select run_no, block_no, value as {name}, n_sample
from base.item_value__v1
join registry.run using (run_no)
join base.item_measure using (condition_no, measure_no)
where is_primary = 1
