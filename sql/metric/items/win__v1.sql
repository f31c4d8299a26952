/*
title:    How often a run is better than the baseline of its condition
formula:  mean over the items that both have of 1 where the run is better, 1/2 where they are equal, 0 where it is worse
source:   Our own: a tie is half a win, so that a run against itself is 1/2
inputs:   metric.items_mean__v1, base.item_member__v1, base.item_baseline, base.item_measure, registry.run,
          registry.condition
grain:    run_no, profile_no, subset_no, weighting, measure
columns:
    run_no      key           run
    profile_no  key           scoring profile
    subset_no   key           subset; 0 is all
    weighting   key           topic
    measure     key           measure
    win_rate    ratio [0, 1]  share of wins; NULL without an item that both have
    n_item      count         items that both have
metrics:
    win_rate as {measure}.win_rate  n=n_item  best=highest  Win rate against the baseline
edges:    Rows only where the condition names a baseline. Means that differ by no more than rounding (1e-12, of large
          ones 1.8e-15 of the larger) are equal, as in a comparison.
class:    exact
*/
with held as (
    select
        run_no, subset_no, measure,
        ratio(
            sum(case
                when abs(value - baseline_value) <= 1e-12
                    or abs(value - baseline_value) <= 1.8e-15 * abs(value)
                    or abs(value - baseline_value) <= 1.8e-15 * abs(baseline_value) then 1
                when value > baseline_value then 2 * (1 - is_lower_better)
                else 2 * is_lower_better
            end),
            2 * count(*)
        ) as win_rate,
        count(*) as n_item
    from base.item_member__v1 join registry.run using (run_no)
    join base.item_baseline using (condition_no, measure_no, block_no)
    join base.item_measure using (condition_no, measure_no)
    where value is not null
    group by run_no, subset_no, measure
)

select run_no, profile_no, subset_no, mean.weighting, measure, win_rate, coalesce(n_item, 0) as n_item
from metric.items_mean__v1 as mean join registry.run using (run_no) join registry.condition using (condition_no)
left join held using (run_no, subset_no, measure)
where mean.weighting = 'topic' and baseline <> ''
