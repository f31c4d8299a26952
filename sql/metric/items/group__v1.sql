/*
title:    Mean and spread of the items of a group
formula:  mean = sum x_i / n; square_sum = sum of (x_i - mean)^2
source:   lm-evaluation-harness 0.4.13, lm_eval/api/metrics.py (mean, sample_stddev)
inputs:   base.item_member__v1, base.item_value__v1
grain:    run_no, subset_no, measure_no, group_no
columns:
    run_no      key    run
    subset_no   key    subset; 0 is all
    measure_no  key    measure
    group_no    key    group
    n_item      count  items of the group with a score
    mean        score  mean over these
    square_sum  deviation  sum of squared deviations
edges:    Items without a group are in none.
class:    exact
see also: mean__v1, error__v1
*/
with unit as (
    select run_no, measure_no, power_of_two(coalesce(max(abs(value)), 0e0)) as unit
    from base.item_value__v1 group by all
),

centre as (
    select run_no, subset_no, measure_no, group_no, count(*) as n_member, scaled_mean(value, unit) as centre
    from base.item_member__v1 join unit using (run_no, measure_no)
    where group_no is not null and value is not null
    group by all
),

deviation as (
    select
        run_no, subset_no, measure_no, group_no, n_member, centre, value - centre as deviation,
        power_of_two(max(abs(value - centre)) over (partition by run_no, subset_no, measure_no, group_no)) as unit
    from base.item_member__v1 join centre using (run_no, subset_no, measure_no, group_no)
    where value is not null
)

select
    run_no, subset_no, measure_no, group_no, max(n_member) as n_item, max(centre) as mean,
    scaled_square_sum(deviation, unit) as square_sum
from deviation group by all
