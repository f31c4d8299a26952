/*
title:    Sums of deviations by cluster
formula:  sum over clusters of (sum of the deviations in the cluster)^2
source:   E. Miller, Adding Error Bars to Evals (arXiv 2411.00640), appendix A
inputs:   metric.items_deviation__v1
grain:    run_no, subset_no, measure_no, weighting
columns:
    run_no       key     run
    subset_no    key     subset; 0 is all
    measure_no   key     measure
    weighting    key     topic or weight
    n_cluster    count   clusters
    square_sum   deviation  sum of squared sums
    denominator  deviation  items, or sum of the weights
edges:    Rows only where the condition names a cluster.
class:    exact
*/
with each_cluster as (
    select
        run_no, subset_no, measure_no, weighting, cluster_no, scaled_sum(deviation, unit) as cluster_sum,
        max(denominator) as whole
    from metric.items_deviation__v1 where cluster_no is not null
    group by run_no, subset_no, measure_no, weighting, cluster_no
),

-- a window function here doubles the time of the view
scale as (
    select run_no, subset_no, measure_no, weighting, power_of_two(max(abs(cluster_sum))) as unit
    from each_cluster group by run_no, subset_no, measure_no, weighting
)

select
    run_no, subset_no, measure_no, weighting, count(*) as n_cluster, scaled_square_sum(cluster_sum, unit) as square_sum,
    max(whole) as denominator
from each_cluster join scale using (run_no, subset_no, measure_no, weighting)
group by run_no, subset_no, measure_no, weighting
