/*
title:    Variance of the samples of an item, and between items
formula:  var_within = mean of the sample variances v_i of the items with two samples or more;
          var_between = sample variance of their x_i, minus the mean of v_i / K_i
source:   E. Miller, Adding Error Bars to Evals (arXiv 2411.00640), section 3
inputs:   base.item_sample__v1, base.item_member__v1, metric.items_mean__v1, base.item_measure, registry.run
grain:    run_no, profile_no, subset_no, weighting, measure
columns:
    run_no       key     run
    profile_no   key     scoring profile
    subset_no    key     subset; 0 is all
    weighting    key     topic
    measure      key     measure
    var_within   deviation  variance within items; NULL without two samples of an item
    var_between  deviation  variance between items, may be below 0; NULL of one item
    n_item       count   items with two samples or more
metrics:
    var_within as {measure}.var_within    n=n_item  best=none  Variance within items
    var_between as {measure}.var_between  n=n_item  best=none  Variance between items
edges:    se^2 = (var_between + var_within / K) / n where all items have K samples.
class:    exact
*/
with member as (select * from base.item_member__v1 where n_sample > 1),

deviation as (
    select run_no, measure_no, block_no, member.n_sample, score - value as deviation
    from base.item_sample__v1 join member using (run_no, measure_no, block_no)
    where score is not null and subset_no = 0
),

scale as (select run_no, measure_no, power_of_two(max(abs(deviation))) as unit from deviation group by all),

variance as (
    select run_no, measure_no, block_no, ratio(scaled_square_sum(deviation, unit), max(n_sample) - 1) as variance
    from deviation join scale using (run_no, measure_no)
    group by all
),

unit as (
    select run_no, measure_no, power_of_two(max(abs(variance))) as variance_unit, power_of_two(max(abs(value))) as unit
    from variance join member using (run_no, measure_no, block_no)
    where subset_no = 0
    group by all
),

centre as (
    select
        run_no, subset_no, measure_no, count(*) as n_item, scaled_mean(variance, variance_unit) as var_within,
        scaled_mean(ratio(variance, n_sample), variance_unit) as var_of_mean, scaled_mean(value, unit) as mean
    from member join variance using (run_no, measure_no, block_no)
    join unit using (run_no, measure_no)
    group by all
),

between_items as (
    select
        run_no, subset_no, measure_no, n_item, var_within, var_of_mean, value - mean as distance,
        power_of_two(max(abs(value - mean)) over (partition by run_no, subset_no, measure_no)) as unit
    from member join variance using (run_no, measure_no, block_no)
    join centre using (run_no, subset_no, measure_no)
),

spread as (
    select
        run_no, subset_no, measure_no, var_within,
        case when n_item > 1 then scaled_square_sum(distance, unit) / (n_item - 1) - var_of_mean end as var_between,
        n_item
    from between_items group by run_no, subset_no, measure_no, var_within, var_of_mean, n_item
)

select
    run_no, profile_no, subset_no, mean.weighting, measure, var_within, var_between, coalesce(n_item, 0) as n_item
from metric.items_mean__v1 as mean join registry.run using (run_no)
join base.item_measure using (condition_no, measure)
left join spread using (run_no, subset_no, measure_no)
where mean.weighting = 'topic'
