/*
title:    Exact sums over items, the inputs of the means of a run
formula:  mean = sum x_i / n; weighted_mean = sum w_i x_i / sum w_i over the items with w_i > 0
source:   E. Miller, Adding Error Bars to Evals (arXiv 2411.00640), section 2
inputs:   base.item_member__v1, base.item_value__v1, base.item, registry.run
grain:    run_no, subset_no, measure_no
columns:
    run_no         key    run
    subset_no      key    subset; 0 is all
    measure_no     key    measure
    n_item         count  items with a score
    mean           score  mean over these; NULL without one
    n_sample       count  scored samples
    sample_mean    score  mean over these
    n_weight       count  items with a weight above 0
    weight_sum     weight  sum of these
    weighted_mean  score  mean with these weights; NULL without one
    n_unscored     count  samples without a score
    n_error        count  samples that the file calls failed
edges:    Sums are of whole units of 1e-18 of the largest score, so they have bitwise identical in any order.
class:    exact
see also: mean__v1
*/
with unit as (
    select run_no, measure_no, power_of_two(coalesce(max(abs(value)), 0e0)) as unit
    from base.item_value__v1
    group by run_no, measure_no
),

weight_unit as (
    select condition_no, power_of_two(coalesce(max(weight), 0e0)) as weight_unit
    from base.item
    group by condition_no
),

total as (
    select
        run_no, subset_no, measure_no, count(value) as n_item, scaled_mean(value, unit) as mean,
        whole_sum(n_sample) as sum_sample,
        cast(sum(whole_units(ratio(value, unit) * n_sample, 1e15)) as double) / 1e15 * max(unit) as sample_sum,
        sum(case when weight > 0 and value is not null then 1 else 0 end) as sum_weight_item,
        scaled_sum(case when value is not null then weight end, weight_unit) as weight_sum,
        scaled_sum(ratio(weight, weight_unit) * value, unit) * max(weight_unit) as weighted_sum,
        whole_sum(n_unscored) as sum_unscored, whole_sum(n_error) as sum_error
    from base.item_member__v1
    join unit using (run_no, measure_no)
    join registry.run using (run_no)
    join weight_unit using (condition_no)
    group by run_no, subset_no, measure_no
)

select
    run_no, subset_no, measure_no, n_item, mean, sum_sample as n_sample, ratio(sample_sum, sum_sample) as sample_mean,
    cast(sum_weight_item as bigint) as n_weight, weight_sum, ratio(weighted_sum, weight_sum) as weighted_mean,
    sum_unscored as n_unscored, sum_error as n_error
from total
