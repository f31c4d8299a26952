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
select
    run_no, profile_no, subset_no, 'story' as weighting, measure, coalesce(sampled.n_sample, 0) as n_sample,
    whole.n - item.n as n_missing, coalesce(sampled.n_unscored, 0) as n_unscored,
    coalesce(sampled.n_error, 0) as n_error
from metric.items_mean__v1 as item
join metric.items_mean__v1 as whole using (run_no, profile_no, subset_no, measure)
join registry.run using (run_no)
join base.item_measure using (condition_no, measure)
left join metric.items_total__v1 as sampled using (run_no, subset_no, measure_no)
where item.weighting = 'topic' and whole.weighting = 'topic_all'
