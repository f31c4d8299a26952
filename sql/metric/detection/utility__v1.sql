/*
title:    Utility of each block, raw, normed and scaled (TDT3eval)
formula:  utility        = weight * n_hit - n_false_alarm
          utility_norm   = utility / (weight * n_target)
          utility_scaled = (max(utility_norm, floor) - floor) / (1 - floor)
source:   TDT3eval v2.6 (options -W, weight, and -M, floor)
inputs:   metric.detection_count__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no          key           run
    profile_no      key           scoring profile
    subset_no       key           subset; 0 is all
    block_no        key           block (topic)
    n_trial         count         scored trials; 0 where the run gave scores alone
    n_target        count         scored target trials; 0 there
    utility         score         in false alarms; NULL without trials
    utility_norm    score         1 is perfect; NULL without targets
    utility_scaled  ratio [0, 1]  NULL without targets
metrics:
    utility         n=n_trial   best=highest  Utility
    utility_norm    n=n_target  best=highest  Normed utility
    utility_scaled  n=n_target  best=highest  Scaled utility
edges:    A block without targets has a utility (minus its false alarms) and no
          normed one. Of a run of scores alone all are NULL.
class:    exact
see also: utility_mean__v1
*/
select
    run_no, profile_no, subset_no, block_no, n_decided as n_trial,
    case when is_decided = 1 then count.n_target else 0 end as n_target,
    case when n_decided > 0 then utility_weight * n_hit - n_false_alarm end as utility,
    ratio(utility_weight * n_hit - n_false_alarm, utility_weight * count.n_target) as utility_norm,
    scaled_utility(utility_norm, utility_min) as utility_scaled
from metric.detection_count__v1 as count join registry.profile using (profile_no)
