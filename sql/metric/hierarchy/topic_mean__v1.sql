/*
title:    Minimal cost of a hierarchy, every topic counting the same
formula:  mean over the topics with at least one story in the collection
source:   The 2004 TDT evaluation plan, appendix A, section 10.1 (scores per topic are averaged)
inputs:   registry.run, registry.condition, registry.condition_profile, metric.hierarchy_best__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no                key    run
    profile_no            key    scoring profile
    subset_no             key    0: all
    weighting             key    topic
    min_cost              cost   NULL when no topic has a story
    c_det_norm            cost   mean detection part
    c_travel_norm         cost   mean travel part
    best_c_det_norm       cost   mean of the least detection costs
    expected_travel_norm  cost   NULL when no topic has two stories
    n_block               count  topics that entered the mean
    n_block_expected      count  topics with two stories or more
metrics:
    min_cost              n=n_block           best=lowest  Minimal cost
    c_det_norm            n=n_block           best=lowest  Normalised detection cost at the best vertices
    c_travel_norm         n=n_block           best=lowest  Normalised travel cost to the best vertices
    best_c_det_norm       n=n_block           best=lowest  Least normalised detection cost, travel apart
    expected_travel_norm  n=n_block_expected  best=lowest  Normalised expected travel cost between stories of a topic
edges:    A topic without a story in the collection has no score: left out of the mean.
class:    libm
see also: best__v1 (per topic)
*/
with

-- fixed point: each cost as a whole number of 1e-15, summed exactly, divided once
total as (
    select
        run_no, profile_no, subset_no,
        sum(cast(floor(min_cost * 1e15 + 5e-1) as decimal(38, 0))) as sum_cost,
        sum(cast(floor(c_det_norm * 1e15 + 5e-1) as decimal(38, 0))) as sum_det,
        sum(cast(floor(c_travel_norm * 1e15 + 5e-1) as decimal(38, 0))) as sum_travel,
        sum(cast(floor(best_c_det_norm * 1e15 + 5e-1) as decimal(38, 0))) as sum_best_det,
        sum(cast(floor(expected_travel_norm * 1e15 + 5e-1) as decimal(38, 0))) as sum_expected,
        count(min_cost) as n_block,
        count(expected_travel_norm) as n_block_expected
    from metric.hierarchy_best__v1
    group by run_no, profile_no, subset_no
)

select
    run_no, profile_no,
    0 as subset_no,
    'topic' as weighting,
    case when n_block > 0 then cast(sum_cost as double) / 1e15 / n_block end as min_cost,
    case when n_block > 0 then cast(sum_det as double) / 1e15 / n_block end as c_det_norm,
    case when n_block > 0 then cast(sum_travel as double) / 1e15 / n_block end as c_travel_norm,
    case when n_block > 0 then cast(sum_best_det as double) / 1e15 / n_block end as best_c_det_norm,
    case
        when n_block_expected > 0 then cast(sum_expected as double) / 1e15 / n_block_expected
    end as expected_travel_norm,
    coalesce(n_block, 0) as n_block,
    coalesce(n_block_expected, 0) as n_block_expected
from registry.run
join registry.condition using (condition_no)
join registry.condition_profile using (condition_no)
left join total using (run_no, profile_no)
where task = 'hierarchy'
