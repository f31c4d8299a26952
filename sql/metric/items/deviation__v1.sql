/*
title:    How far items are from the mean of a run
formula:  topic: x_i - mean; weight: w_i (x_i - weighted mean), over the items with w_i > 0
source:   E. Miller, Adding Error Bars to Evals (arXiv 2411.00640), appendix A
inputs:   base.item_member__v1, metric.items_total__v1
grain:    run_no, subset_no, measure_no, weighting, block_no
columns:
    run_no       key     run
    subset_no    key     subset; 0 is all
    measure_no   key     measure
    weighting    key     topic or weight
    block_no     key     item
    cluster_no   number  cluster; NULL where the condition names none
    deviation    deviation  from the mean
    denominator  deviation  items, or sum of the weights
edges:    Items without a score are not here.
class:    exact
*/
select
    run_no, subset_no, measure_no, weighting, block_no, cluster_no,
    case when weighting = 'topic' then value - mean else weight * (value - weighted_mean) end as deviation,
    case when weighting = 'topic' then cast(n_item as double) else weight_sum end as denominator
from base.item_member__v1
join metric.items_total__v1 using (run_no, subset_no, measure_no)
cross join (select 'topic' as weighting union all select 'weight' as weighting) as weighting
where value is not null and (weighting = 'topic' or weight > 0)
