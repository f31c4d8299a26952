/*
title:    Mean utility over topics (TDT3eval)
formula:  Means over the topics where the number is defined: utility over all topics
          with trials, the normed and scaled ones over the topics with targets.
source:   TDT3eval v2.6 (the Means row of its table)
inputs:   metric.detection_utility__v1, base.detection_subset__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no          key           run
    profile_no      key           scoring profile
    subset_no       key           subset; 0 is all
    weighting       key           topic
    utility         score         NULL without topics
    utility_norm    score         NULL without topics with targets
    utility_scaled  ratio [0, 1]  NULL without topics with targets
    n_block         count         topics with trials
    n_block_norm    count         topics with targets
metrics:
    utility         n=n_block       best=highest  Utility
    utility_norm    n=n_block_norm  best=highest  Normed utility
    utility_scaled  n=n_block_norm  best=highest  Scaled utility
edges:    The means are over different sets of topics when some have no targets; the n columns say so.
class:    exact
see also: utility__v1
*/
-- coarser where numbers are larger: a utility may be as large as the number of stories
select
    run_no, profile_no, subset_no, 'topic' as weighting, exact_mean(topic.utility, 1e9) as utility,
    exact_mean(topic.utility_norm, 1e12) as utility_norm, exact_mean(topic.utility_scaled) as utility_scaled,
    count(topic.utility) as n_block, count(topic.utility_norm) as n_block_norm
from base.detection_subset__v1
left join metric.detection_utility__v1 as topic using (run_no, profile_no, subset_no)
group by all
