/*
title:    Minimal cost of a hierarchy, every topic counting the same
formula:  mean over the topics with at least one story in the collection
source:   The 2004 TDT evaluation plan, appendix A, section 10.1 (scores per topic are averaged)
inputs:   registry.run, registry.condition, registry.condition_profile, registry.task, metric.hierarchy_best__v1
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
select
    run_no, profile_no, 0 as subset_no, 'topic' as weighting, exact_mean(best.min_cost) as min_cost,
    exact_mean(best.c_det_norm) as c_det_norm, exact_mean(best.c_travel_norm) as c_travel_norm,
    exact_mean(best.best_c_det_norm) as best_c_det_norm, exact_mean(best.expected_travel_norm) as expected_travel_norm,
    count(best.min_cost) as n_block, count(best.expected_travel_norm) as n_block_expected
from registry.run join registry.condition using (condition_no) join registry.condition_profile using (condition_no)
left join metric.hierarchy_best__v1 as best using (run_no, profile_no)
where task in (select task from registry.task where run_table = 'base.vertex')
group by run_no, profile_no
