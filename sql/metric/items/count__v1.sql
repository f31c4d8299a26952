/*
title:    Coverage of the items by a run
source:   Our own: what is missing is never silent
inputs:   metric.items_mean__v1, metric.items_total__v1, base.item_measure, registry.run
grain:    run_no, profile_no, subset_no, weighting, measure
columns:
    run_no      key    run
    profile_no  key    scoring profile
    subset_no   key    subset; 0 is all
    weighting   key    story
    measure     key    measure
    n_sample    count  scored samples
    n_missing   count  items of the measure without a score
    n_unscored  count  samples that are listed without a score
    n_error     count  samples that the file calls failed
metrics:
    n_sample as {measure}.n_sample      n=n_sample    best=none    Scored samples
    n_missing as {measure}.n_missing    n=n_missing   best=lowest  Items without a score
    n_unscored as {measure}.n_unscored  n=n_unscored  best=lowest  Samples without a score
    n_error as {measure}.n_error        n=n_error     best=lowest  Failed samples
edges:    All are counts, of which n is the same number.
class:    exact
*/
with size as (
    select run_no, profile_no, subset_no, measure, n as n_item
    from metric.items_mean__v1
    where weighting = 'topic'
),

sampled as (
    select run_no, subset_no, measure_no, n_sample as scored, n_unscored as unscored, n_error as failed
    from metric.items_total__v1
),

whole as (
    select run_no, profile_no, subset_no, measure, n as n_all
    from metric.items_mean__v1
    where weighting = 'topic_all'
)

select
    run_no, profile_no, subset_no, 'story' as weighting, measure, coalesce(scored, 0) as n_sample,
    n_all - size.n_item as n_missing, coalesce(unscored, 0) as n_unscored, coalesce(failed, 0) as n_error
from size
join whole using (run_no, profile_no, subset_no, measure)
join registry.run using (run_no)
join base.item_measure using (condition_no, measure)
left join sampled using (run_no, subset_no, measure_no)
