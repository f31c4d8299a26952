/*
title:    Standard deviation of a run from epoch to epoch
formula:  sample standard deviation, over epochs, of the mean of the samples of the epoch
source:   E. Miller, Adding Error Bars to Evals (arXiv 2411.00640), section 3 (what is sampled again)
inputs:   base.item_sample__v1, base.subset_cell, base.item_measure, registry.run, registry.condition_profile
grain:    run_no, profile_no, subset_no, weighting, measure
columns:
    run_no      key     run
    profile_no  key     scoring profile
    subset_no   key     subset; 0 is all
    weighting   key     topic
    measure     key     measure
    sd_epoch    deviation  standard deviation; NULL of one epoch
    n_epoch     count   epochs
metrics:
    sd_epoch as {measure}.sd_epoch  n=n_epoch  best=none  Standard deviation over epochs
edges:    An epoch without a scored sample is not counted.
class:    exact
*/
with sampled as (
    select run_no, measure_no, block_no, epoch, score, 0 as subset_no
    from base.item_sample__v1
    where score is not null
    union all
    select run_no, measure_no, block_no, epoch, score, subset_no
    from base.item_sample__v1
    join registry.run using (run_no)
    join base.subset_cell using (condition_no, block_no)
    where score is not null
),

unit as (
    select run_no, measure_no, power_of_two(max(abs(score))) as unit
    from sampled
    group by run_no, measure_no
),

epoch_mean as (
    select run_no, subset_no, measure_no, epoch, max(unit) as epoch_unit, scaled_mean(score, unit) as epoch_mean
    from sampled
    join unit using (run_no, measure_no)
    group by run_no, subset_no, measure_no, epoch
),

centre as (
    select run_no, subset_no, measure_no, count(*) as n_epoch, scaled_mean(epoch_mean, epoch_unit) as mean
    from epoch_mean
    group by run_no, subset_no, measure_no
),

deviation as (
    select run_no, subset_no, measure_no, n_epoch, epoch_mean - mean as deviation
    from epoch_mean
    join centre using (run_no, subset_no, measure_no)
),

deviation_unit as (
    select run_no, subset_no, measure_no, power_of_two(max(abs(deviation))) as unit
    from deviation
    group by run_no, subset_no, measure_no
),

spread as (
    select run_no, subset_no, measure_no, n_epoch, scaled_square_sum(deviation, unit) as square_sum
    from deviation
    join deviation_unit using (run_no, subset_no, measure_no)
    group by run_no, subset_no, measure_no, n_epoch
)

select
    run_no, profile_no, subset_no, 'topic' as weighting, measure,
    case when n_epoch > 1 then sqrt(square_sum / (n_epoch - 1)) end as sd_epoch,
    n_epoch
from spread
join registry.run using (run_no)
join registry.condition_profile using (condition_no)
join base.item_measure using (condition_no, measure_no)
