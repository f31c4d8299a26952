/*
title:    Topic-weighted error rates and detection cost
formula:  For the run, every topic counts the same, however many stories it has:
              p_miss = mean of p_miss(t) over the topics with targets
              p_fa   = mean of p_fa(t) over the topics with non-targets (fa_topics = all),
                       or over those that also have targets (fa_topics = with_target)
          topic_cost = cost_of_means: c_det from these two means
          topic_cost = mean_of_costs: mean of c_det(t) over the topics with both
source:   The 2004 TDT evaluation plan, section 5 (topic-weighted estimation);
          A. Bagga, Enhancing the TDT Tracking Evaluation, figure 5;
          TDT3eval v2.6 (mean of costs for first story detection); F4DE 3.5.0 (blocks without targets skipped)
inputs:   metric.detection_rate__v1, registry.run, registry.condition, registry.condition_profile, registry.profile, base.subset, base.detection_price__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no        key           run
    profile_no    key           scoring profile
    subset_no     key           subset; 0 is all
    weighting     key           topic
    p_miss        ratio [0, 1]  NULL when no topic has a target trial
    p_fa          ratio [0, 1]  NULL when no topic has a non-target trial
    c_det         cost          NULL where a mean it needs is
    c_det_norm    cost          1 is a system that decides without reading
    n_block_miss  count         topics that entered the mean of p_miss
    n_block_fa    count         topics that entered the mean of p_fa
    n_block_both  count         topics with targets and non-targets
    n_block_cost  count         topics that entered the cost
metrics:
    p_miss      n=n_block_miss  best=lowest  Miss probability
    p_fa        n=n_block_fa    best=lowest  False-alarm probability
    c_det       n=n_block_cost  best=lowest  Detection cost
    c_det_norm  n=n_block_cost  best=lowest  Normalised detection cost
edges:    A topic without target trials has no miss rate (0/0). It is left out of
          p_miss and still counts in p_fa under fa_topics = all; the n columns say so.
          The mean of costs over the topics with both equals the cost of the mean
          rates over those topics; that is how it is computed.
class:    exact
see also: pooled__v1 (story weighting), rate__v1 (per topic)
*/
with

rate as (

    select
        rate.run_no as run_no,
        rate.profile_no as profile_no,
        rate.subset_no as subset_no,
        rate.p_miss as p_miss,
        case when profile.fa_topics = 'all' or rate.n_target > 0 then rate.p_fa end as p_fa,
        case when rate.n_target > 0 and rate.n_nontarget > 0 then rate.p_miss end as p_miss_both,
        case when rate.n_target > 0 and rate.n_nontarget > 0 then rate.p_fa end as p_fa_both
    from metric.detection_rate__v1 as rate
    inner join registry.profile as profile
        on profile.profile_no = rate.profile_no

),

-- fixed point: each rate as a whole number of 1e-15, summed exactly, divided once
total as (

    select
        rate.run_no as run_no,
        rate.profile_no as profile_no,
        rate.subset_no as subset_no,
        sum(cast(floor(rate.p_miss * 1e15 + 5e-1) as decimal(38, 0))) as sum_miss,
        sum(cast(floor(rate.p_fa * 1e15 + 5e-1) as decimal(38, 0))) as sum_fa,
        sum(cast(floor(rate.p_miss_both * 1e15 + 5e-1) as decimal(38, 0))) as sum_miss_both,
        sum(cast(floor(rate.p_fa_both * 1e15 + 5e-1) as decimal(38, 0))) as sum_fa_both,
        count(rate.p_miss) as n_block_miss,
        count(rate.p_fa) as n_block_fa,
        count(rate.p_miss_both) as n_block_both
    from rate as rate
    group by rate.run_no, rate.profile_no, rate.subset_no

),

mean as (

    select
        total.run_no as run_no,
        total.profile_no as profile_no,
        total.subset_no as subset_no,
        case when total.n_block_miss > 0 then cast(total.sum_miss as double) / 1e15 / total.n_block_miss end as p_miss,
        case when total.n_block_fa > 0 then cast(total.sum_fa as double) / 1e15 / total.n_block_fa end as p_fa,
        case when total.n_block_both > 0 then cast(total.sum_miss_both as double) / 1e15 / total.n_block_both end as p_miss_both,
        case when total.n_block_both > 0 then cast(total.sum_fa_both as double) / 1e15 / total.n_block_both end as p_fa_both,
        total.n_block_miss as n_block_miss,
        total.n_block_fa as n_block_fa,
        total.n_block_both as n_block_both,
        1 as hit
    from total as total

),

-- the rates that the cost is made of, for every run and subset
chosen as (

    select
        run.run_no as run_no,
        profile.profile_no as profile_no,
        subset.subset_no as subset_no,
        price.price_miss as price_miss,
        price.price_fa as price_fa,
        price.c_default as c_default,
        case
            when condition.task = 'new_event' then profile.topic_cost_new_event
            else profile.topic_cost
        end as topic_cost
    from registry.run as run
    inner join registry.condition as condition
        on condition.condition_no = run.condition_no
    inner join registry.condition_profile as wanted
        on wanted.condition_no = run.condition_no
    inner join registry.profile as profile
        on profile.profile_no = wanted.profile_no
    inner join base.detection_price__v1 as price
        on price.profile_no = wanted.profile_no
    inner join base.subset as subset
        on subset.condition_no = run.condition_no
    where condition.task in ('tracking', 'new_event', 'link', 'filtering')

),

cost as (

    select
        chosen.run_no as run_no,
        chosen.profile_no as profile_no,
        chosen.subset_no as subset_no,
        mean.p_miss as p_miss,
        mean.p_fa as p_fa,
        coalesce(mean.n_block_miss, 0) as n_block_miss,
        coalesce(mean.n_block_fa, 0) as n_block_fa,
        coalesce(mean.n_block_both, 0) as n_block_both,
        case
            when chosen.topic_cost = 'mean_of_costs' then coalesce(mean.n_block_both, 0)
            when coalesce(mean.n_block_miss, 0) = 0 then 0
            else coalesce(mean.n_block_fa, 0)
        end as n_block_cost,
        case
            when chosen.topic_cost = 'mean_of_costs'
                then chosen.price_miss * mean.p_miss_both + chosen.price_fa * mean.p_fa_both
            else chosen.price_miss * mean.p_miss + chosen.price_fa * mean.p_fa
        end as c_det,
        chosen.c_default as c_default
    from chosen as chosen
    left join mean as mean
        on mean.run_no = chosen.run_no
        and mean.profile_no = chosen.profile_no
        and mean.subset_no = chosen.subset_no

)

select
    cost.run_no as run_no,
    cost.profile_no as profile_no,
    cost.subset_no as subset_no,
    'topic' as weighting,
    cost.p_miss as p_miss,
    cost.p_fa as p_fa,
    cost.c_det as c_det,
    case when cost.c_default > 0 then cost.c_det / cost.c_default end as c_det_norm,
    cost.n_block_miss as n_block_miss,
    cost.n_block_fa as n_block_fa,
    cost.n_block_both as n_block_both,
    cost.n_block_cost as n_block_cost
from cost as cost
