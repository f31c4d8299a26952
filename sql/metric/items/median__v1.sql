/*
title:    Median score of the items of a run
formula:  the middle x_i in order of size; of an even number the mean of the two in the middle
source:   Our own: the middle of the sorted items (lm-evaluation-harness takes that of the unsorted ones)
inputs:   base.item_member__v1, metric.items_total__v1, metric.items_mean__v1, base.item_measure, registry.run
grain:    run_no, profile_no, subset_no, weighting, measure
columns:
    run_no      key    run
    profile_no  key    scoring profile
    subset_no   key    subset; 0 is all
    weighting   key    topic
    measure     key    measure
    median      score  the middle; NULL without a score
    n_item      count  items with a score
metrics:
    median as {measure}.median  n=n_item  best={best}  Median score
class:    exact
*/
with ranked as (
    select
        run_no, subset_no, measure_no, value,
        row_number() over (partition by run_no, subset_no, measure_no order by value, block_no) as place
    from base.item_member__v1 where value is not null
),

middle as (
    select run_no, subset_no, measure_no, (min(value) + max(value)) / 2e0 as median, max(n_item) as n_item
    from ranked join metric.items_total__v1 using (run_no, subset_no, measure_no)
    where place * 2 between n_item and n_item + 2
    group by run_no, subset_no, measure_no
)

select run_no, profile_no, subset_no, mean.weighting, measure, median, coalesce(n_item, 0) as n_item
from metric.items_mean__v1 as mean join registry.run using (run_no)
join base.item_measure using (condition_no, measure)
left join middle using (run_no, subset_no, measure_no)
where mean.weighting = 'topic'
