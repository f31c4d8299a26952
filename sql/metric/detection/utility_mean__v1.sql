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
        utility.run_no as run_no,
        utility.profile_no as profile_no,
        utility.subset_no as subset_no,
        sum(cast(floor(utility.utility * 1e9 + 5e-1) as decimal(38, 0))) as sum_utility,
        sum(cast(floor(utility.utility_norm * 1e12 + 5e-1) as decimal(38, 0))) as sum_norm,
        sum(cast(floor(utility.utility_scaled * 1e15 + 5e-1) as decimal(38, 0))) as sum_scaled,
        count(utility.utility) as n_block,
        count(utility.utility_norm) as n_block_norm
    from metric.detection_utility__v1 as utility
    group by utility.run_no, utility.profile_no, utility.subset_no

),

chosen as (

    select
        run.run_no as run_no,
        wanted.profile_no as profile_no,
        subset.subset_no as subset_no
    from registry.run as run
    inner join registry.condition as condition
        on condition.condition_no = run.condition_no
    inner join registry.condition_profile as wanted
        on wanted.condition_no = run.condition_no
    inner join base.subset as subset
        on subset.condition_no = run.condition_no
    where condition.task in ('tracking', 'new_event', 'link', 'filtering')

)

select
    chosen.run_no as run_no,
    chosen.profile_no as profile_no,
    chosen.subset_no as subset_no,
    'topic' as weighting,
    case when total.n_block > 0 then cast(total.sum_utility as double) / 1e9 / total.n_block end as utility,
    case when total.n_block_norm > 0 then cast(total.sum_norm as double) / 1e12 / total.n_block_norm end as utility_norm,
    case when total.n_block_norm > 0 then cast(total.sum_scaled as double) / 1e15 / total.n_block_norm end as utility_scaled,
    coalesce(total.n_block, 0) as n_block,
    coalesce(total.n_block_norm, 0) as n_block_norm
from chosen as chosen
left join total as total
    on total.run_no = chosen.run_no
    and total.profile_no = chosen.profile_no
    and total.subset_no = chosen.subset_no
