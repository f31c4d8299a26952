/*
title:    Mean utility over topics (TDT3eval)
formula:  Means over the topics where the number is defined: utility over all topics
          with trials, the normed and scaled ones over the topics with targets.
source:   TDT3eval v2.6 (the Means row of its table)
inputs:   metric.detection_utility__v1, registry.run, registry.condition, registry.condition_profile, base.subset
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
with

-- fixed point at 1e-9: a utility may be as large as the number of stories
total as (
    select
        run_no, profile_no, subset_no,
        sum(cast(floor(utility * 1e9 + 5e-1) as decimal(38, 0))) as sum_utility,
        sum(cast(floor(utility_norm * 1e12 + 5e-1) as decimal(38, 0))) as sum_norm,
        sum(cast(floor(utility_scaled * 1e15 + 5e-1) as decimal(38, 0))) as sum_scaled,
        count(utility) as n_block,
        count(utility_norm) as n_block_norm
    from metric.detection_utility__v1
    group by run_no, profile_no, subset_no
),

chosen as (
    select
        run_no, profile_no, subset_no
    from registry.run
    join registry.condition using (condition_no)
    join registry.condition_profile using (condition_no)
    join base.subset using (condition_no)
    where task in ('tracking', 'new_event', 'link', 'filtering')
)

select
    run_no, profile_no, subset_no,
    'topic' as weighting,
    case when n_block > 0 then cast(sum_utility as double) / 1e9 / n_block end as utility,
    case when n_block_norm > 0 then cast(sum_norm as double) / 1e12 / n_block_norm end as utility_norm,
    case when n_block_norm > 0 then cast(sum_scaled as double) / 1e15 / n_block_norm end as utility_scaled,
    coalesce(n_block, 0) as n_block,
    coalesce(n_block_norm, 0) as n_block_norm
from chosen
left join total using (run_no, profile_no, subset_no)
