/*
title:    Standard deviation of a run from epoch to epoch
formula:  sample standard deviation, over epochs, of the mean of the samples of the epoch
source:   E. Miller, Adding Error Bars to Evals (arXiv 2411.00640), section 3 (what is sampled again)
inputs:   base.item_sample__v1, base.item_score, metric.items_mean__v1, base.item_measure, registry.run,
          base.subset_cell
grain:    run_no, profile_no, subset_no, weighting, measure
columns:
    run_no      key     run
    profile_no  key     scoring profile
    subset_no   key     subset; 0 is all
    weighting   key     topic
    measure     key     measure
    sd_epoch    deviation  standard deviation; NULL of fewer than two epochs
    n_epoch     count   epochs
metrics:
    sd_epoch as {measure}.sd_epoch  n=n_epoch  best=none  Standard deviation over epochs
edges:    An epoch without a scored sample is not counted.
class:    exact
*/
-- a run without a second epoch has no deviation, and its samples are not read
with repeated as (select distinct run_no from base.item_score where epoch <> 1),

sampled as (
    select one.*, 0 as subset_no from base.item_sample__v1 as one join repeated using (run_no) where score is not null
    union all
    select one.*, subset_no
    from base.item_sample__v1 as one join repeated using (run_no) join registry.run using (run_no)
    join base.subset_cell using (condition_no, block_no)
    where score is not null
),

unit as (select run_no, measure_no, power_of_two(max(abs(score))) as unit from sampled group by all),

epoch as (
    select run_no, subset_no, measure_no, epoch, max(unit) as unit, scaled_mean(score, unit) as mean
    from sampled join unit using (run_no, measure_no)
    group by run_no, subset_no, measure_no, epoch
),

centre as (
    select run_no, subset_no, measure_no, count(*) as n_epoch, scaled_mean(mean, unit) as centre from epoch group by all
),

deviation as (
    select
        run_no, subset_no, measure_no, n_epoch, mean - centre as deviation,
        power_of_two(max(abs(mean - centre)) over (partition by run_no, subset_no, measure_no)) as unit
    from epoch join centre using (run_no, subset_no, measure_no)
),

spread as (
    select
        run_no, subset_no, measure_no, n_epoch,
        case when n_epoch > 1 then sqrt(scaled_square_sum(deviation, unit) / (n_epoch - 1)) end as sd_epoch
    from deviation group by run_no, subset_no, measure_no, n_epoch
)

select run_no, profile_no, subset_no, mean.weighting, measure, sd_epoch,
    coalesce(n_epoch, case when n > 0 then 1 else 0 end) as n_epoch
from metric.items_mean__v1 as mean join registry.run using (run_no)
join base.item_measure using (condition_no, measure)
left join spread using (run_no, subset_no, measure_no)
where mean.weighting = 'topic'
