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
        run_no, profile_no, subset_no, p_miss,
        case when fa_topics = 'all' or n_target > 0 then p_fa end as p_fa,
        case when n_target > 0 and n_nontarget > 0 then p_miss end as p_miss_both,
        case when n_target > 0 and n_nontarget > 0 then p_fa end as p_fa_both
    from metric.detection_rate__v1
    join registry.profile using (profile_no)
),

-- fixed point: each rate as a whole number of 1e-15, summed exactly, divided once
total as (
    select
        run_no, profile_no, subset_no,
        sum(cast(floor(p_miss * 1e15 + 5e-1) as decimal(38, 0))) as sum_miss,
        sum(cast(floor(p_fa * 1e15 + 5e-1) as decimal(38, 0))) as sum_fa,
        sum(cast(floor(p_miss_both * 1e15 + 5e-1) as decimal(38, 0))) as sum_miss_both,
        sum(cast(floor(p_fa_both * 1e15 + 5e-1) as decimal(38, 0))) as sum_fa_both,
        count(p_miss) as n_block_miss,
        count(p_fa) as n_block_fa,
        count(p_miss_both) as n_block_both
    from rate
    group by run_no, profile_no, subset_no
),

mean as (
    select
        run_no, profile_no, subset_no,
        case when n_block_miss > 0 then cast(sum_miss as double) / 1e15 / n_block_miss end as p_miss,
        case when n_block_fa > 0 then cast(sum_fa as double) / 1e15 / n_block_fa end as p_fa,
        case when n_block_both > 0 then cast(sum_miss_both as double) / 1e15 / n_block_both end as p_miss_both,
        case when n_block_both > 0 then cast(sum_fa_both as double) / 1e15 / n_block_both end as p_fa_both,
        n_block_miss, n_block_fa, n_block_both,
        1 as hit
    from total
),

-- the rates that the cost is made of, for every run and subset
chosen as (
    select
        run_no, profile.profile_no, subset_no, price_miss, price_fa, c_default,
        case
            when task = 'new_event' then topic_cost_new_event
            else topic_cost
        end as topic_cost
    from registry.run
    join registry.condition using (condition_no)
    join registry.condition_profile using (condition_no)
    join registry.profile using (profile_no)
    join base.detection_price__v1 using (profile_no)
    join base.subset using (condition_no)
    where task in ('tracking', 'new_event', 'link', 'filtering')
),

cost as (
    select
        run_no, profile_no, subset_no, p_miss, p_fa,
        coalesce(n_block_miss, 0) as n_block_miss,
        coalesce(n_block_fa, 0) as n_block_fa,
        coalesce(n_block_both, 0) as n_block_both,
        case
            when topic_cost = 'mean_of_costs' then coalesce(n_block_both, 0)
            when coalesce(n_block_miss, 0) = 0 then 0
            else coalesce(n_block_fa, 0)
        end as n_block_cost,
        case
            when topic_cost = 'mean_of_costs'
                then price_miss * p_miss_both + price_fa * p_fa_both
            else price_miss * p_miss + price_fa * p_fa
        end as c_det,
        c_default
    from chosen
    left join mean using (run_no, profile_no, subset_no)
)

select
    run_no, profile_no, subset_no,
    'topic' as weighting,
    p_miss, p_fa, c_det,
    case when c_default > 0 then c_det / c_default end as c_det_norm,
    n_block_miss, n_block_fa, n_block_both, n_block_cost
from cost
