/*
title:    Score of an item
formula:  x_i = mean of the scored samples of the item
source:   E. Miller, Adding Error Bars to Evals (arXiv 2411.00640), section 3
inputs:   base.item_value__v1, base.item_score, base.item_measure, registry.run, registry.condition_profile
grain:    run_no, profile_no, subset_no, block_no, measure
columns:
    run_no      key    run
    profile_no  key    scoring profile
    subset_no   key    0: all; report.block_score has the item in each of its subsets
    block_no    key    item
    measure     key    measure
    value       score  mean; NULL where no sample is scored
    n_sample    count  scored samples
    is_stored   flag   0: the run has no second epoch, and ledger.item_number reads its scores from the samples
metrics:
    value as {measure}  n=n_sample  best={best}  Score
edges:    Items that the run lacks are not here.
class:    exact
volume:   items
*/
with repeated as (select distinct run_no, 1 as is_repeated from base.item_score where epoch <> 1)

select
    run_no, profile_no, 0 as subset_no, block_no, measure, value, n_sample, coalesce(is_repeated, 0) as is_stored
from base.item_value__v1 join registry.run using (run_no) join registry.condition_profile using (condition_no)
join base.item_measure using (condition_no, measure_no)
left join repeated using (run_no)
