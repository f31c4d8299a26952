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
    unit         deviation  power of two near the largest size of a deviation of the run: the scale of sums
edges:    Items without a score are not here.
class:    exact
volume:   items
*/
with weighed as (
    select
        run_no, subset_no, measure_no, block_no, cluster_no, weight * (value - weighted_mean) as deviation,
        weight_sum as denominator
    from base.item_member__v1 join metric.items_total__v1 using (run_no, subset_no, measure_no)
    where value is not null and weight > 0
),

scale as (
    select run_no, subset_no, measure_no, power_of_two(max(abs(deviation))) as unit
    from weighed group by run_no, subset_no, measure_no
)

select
    run_no, subset_no, measure_no, 'topic' as weighting, block_no, cluster_no, value - mean as deviation,
    cast(n_item as double) as denominator,
    power_of_two(case when high - mean > mean - low then high - mean else mean - low end) as unit
from base.item_member__v1 join metric.items_total__v1 using (run_no, subset_no, measure_no)
where value is not null
union all
select
    run_no, subset_no, measure_no, 'weight' as weighting, block_no, cluster_no, deviation, denominator, unit
from weighed join scale using (run_no, subset_no, measure_no)
