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
    n_trial         count         scored trials
    n_target        count         scored target trials
    utility         score         in false alarms; NULL without trials
    utility_norm    score         1 is perfect; NULL without targets
    utility_scaled  ratio [0, 1]  NULL without targets
metrics:
    utility         n=n_trial   best=highest  Utility
    utility_norm    n=n_target  best=highest  Normed utility
    utility_scaled  n=n_target  best=highest  Scaled utility
edges:    A block without targets has a utility (minus its false alarms) and no
          normed one.
class:    exact
see also: utility_mean__v1
*/
with

raw as (

    select
        counts.run_no as run_no,
        counts.profile_no as profile_no,
        counts.subset_no as subset_no,
        counts.block_no as block_no,
        counts.n_trial as n_trial,
        counts.n_target as n_target,
        profile.utility_min as utility_min,
        case when counts.n_trial > 0 then profile.utility_weight * counts.n_hit - counts.n_false_alarm end as utility,
        case
            when counts.n_target > 0
                then (profile.utility_weight * counts.n_hit - counts.n_false_alarm) / (profile.utility_weight * counts.n_target)
        end as utility_norm
    from metric.detection_count__v1 as counts
    inner join registry.profile as profile
        on profile.profile_no = counts.profile_no

)

select
    raw.run_no as run_no,
    raw.profile_no as profile_no,
    raw.subset_no as subset_no,
    raw.block_no as block_no,
    raw.n_trial as n_trial,
    raw.n_target as n_target,
    raw.utility as utility,
    raw.utility_norm as utility_norm,
    case
        when raw.utility_norm >= raw.utility_min then (raw.utility_norm - raw.utility_min) / (1 - raw.utility_min)
        when raw.utility_norm < raw.utility_min then cast(0 as double)
    end as utility_scaled
from raw as raw
