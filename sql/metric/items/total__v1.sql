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
    low            score  lowest of these
    high           score  highest of these
    n_sample       count  scored samples
    sample_mean    score  mean over these
    n_weight       count  items with a weight above 0
    weight_sum     weight  sum of these
    weighted_mean  score  mean with these weights; NULL without one
    n_unscored     count  samples without a score
    n_error        count  samples that the file calls failed
edges:    Sums are of whole units of 1e-18 of the largest score, so they are bitwise identical in any order.
class:    exact
see also: mean__v1
*/
with unit as (
    select
        run_no, measure_no, power_of_two(coalesce(max(abs(value)), 0e0)) as unit,
        power_of_two(coalesce(max(abs(value) * n_sample), 0e0)) as sample_unit
    from base.item_value__v1 group by all
),

weight_unit as (
    select condition_no, power_of_two(coalesce(max(weight), 0e0)) as weight_unit from base.item group by all
)

select
    run_no, subset_no, measure_no, count(value) as n_item, scaled_mean(value, unit) as mean,
    min(value) as low, max(value) as high,
    whole_sum(member.n_sample) as n_sample,
    ratio(scaled_sum(value * member.n_sample, sample_unit), whole_sum(member.n_sample)) as sample_mean,
    count(*) filter (where weight > 0 and value is not null) as n_weight,
    scaled_sum(case when value is not null then weight end, weight_unit) as weight_sum,
    ratio(scaled_sum(ratio(weight, weight_unit) * value, unit) * max(weight_unit), weight_sum) as weighted_mean,
    whole_sum(member.n_unscored) as n_unscored, whole_sum(member.n_error) as n_error
from base.item_member__v1 as member
join unit using (run_no, measure_no)
join registry.run using (run_no)
join weight_unit using (condition_no)
group by run_no, subset_no, measure_no
