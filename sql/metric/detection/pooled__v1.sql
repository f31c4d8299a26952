/*
title:    Story-weighted (pooled) counts, error rates and detection cost
formula:  Every decision counts the same: counts are added over the topics first.
          p_miss = sum n_miss / sum n_target      p_fa = sum n_false_alarm / sum n_nontarget
          c_det and c_det_norm as in rate__v1, from these
source:   The 2004 TDT evaluation plan, section 5 (story-weighted estimation);
          A. Bagga, Enhancing the TDT Tracking Evaluation, figure 1
inputs:   metric.detection_count__v1, registry.run, registry.condition, registry.condition_profile, base.subset, base.detection_price__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no               key           run
    profile_no           key           scoring profile
    subset_no            key           subset; 0 is all
    weighting            key           story
    n_target             count         scored target trials
    n_nontarget          count         scored non-target trials
    n_hit                count         targets the system said yes to
    n_false_alarm        count         non-targets the system said yes to
    n_miss               count         targets the system said no to, or nothing of
    n_correct_rejection  count         non-targets the system said no to, or nothing of
    n_trial              count         scored trials
    n_cost               count         trials behind the cost; 0 where it is undefined
    p_miss               ratio [0, 1]  NULL without targets
    p_fa                 ratio [0, 1]  NULL without non-targets
    c_det                cost          NULL where p_miss or p_fa is
    c_det_norm           cost          1 is a system that decides without reading
metrics:
    n_target             n=n_trial      best=none     Target trials
    n_nontarget          n=n_trial      best=none     Non-target trials
    n_hit                n=n_trial      best=highest  Targets accepted
    n_false_alarm        n=n_trial      best=lowest   Non-targets accepted
    n_miss               n=n_trial      best=lowest   Targets rejected
    n_correct_rejection  n=n_trial      best=highest  Non-targets rejected
    p_miss               n=n_target     best=lowest   Miss probability
    p_fa                 n=n_nontarget  best=lowest   False-alarm probability
    c_det                n=n_cost       best=lowest   Detection cost
    c_det_norm           n=n_cost       best=lowest   Normalised detection cost
edges:    Every run has a row for every subset of its condition, also without trials.
class:    exact
see also: topic_weighted__v1
*/
with

-- a row of zeros for every run and subset, so that nothing is missing
part as (

    select
        run.run_no as run_no,
        chosen.profile_no as profile_no,
        subset.subset_no as subset_no,
        cast(0 as bigint) as n_target,
        cast(0 as bigint) as n_nontarget,
        cast(0 as bigint) as n_hit,
        cast(0 as bigint) as n_false_alarm
    from registry.run as run
    inner join registry.condition as condition
        on condition.condition_no = run.condition_no
    inner join registry.condition_profile as chosen
        on chosen.condition_no = run.condition_no
    inner join base.subset as subset
        on subset.condition_no = run.condition_no
    where condition.task in ('tracking', 'new_event', 'link', 'filtering')
    union all
    select
        counts.run_no as run_no,
        counts.profile_no as profile_no,
        counts.subset_no as subset_no,
        counts.n_target as n_target,
        counts.n_nontarget as n_nontarget,
        counts.n_hit as n_hit,
        counts.n_false_alarm as n_false_alarm
    from metric.detection_count__v1 as counts

),

total as (

    select
        part.run_no as run_no,
        part.profile_no as profile_no,
        part.subset_no as subset_no,
        cast(sum(part.n_target) as bigint) as n_target,
        cast(sum(part.n_nontarget) as bigint) as n_nontarget,
        cast(sum(part.n_hit) as bigint) as n_hit,
        cast(sum(part.n_false_alarm) as bigint) as n_false_alarm
    from part as part
    group by part.run_no, part.profile_no, part.subset_no

),

rate as (

    select
        total.run_no as run_no,
        total.profile_no as profile_no,
        total.subset_no as subset_no,
        total.n_target as n_target,
        total.n_nontarget as n_nontarget,
        total.n_hit as n_hit,
        total.n_false_alarm as n_false_alarm,
        case when total.n_target > 0 then cast(total.n_target - total.n_hit as double) / total.n_target end as p_miss,
        case when total.n_nontarget > 0 then cast(total.n_false_alarm as double) / total.n_nontarget end as p_fa
    from total as total

),

cost as (

    select
        rate.run_no as run_no,
        rate.profile_no as profile_no,
        rate.subset_no as subset_no,
        rate.n_target as n_target,
        rate.n_nontarget as n_nontarget,
        rate.n_hit as n_hit,
        rate.n_false_alarm as n_false_alarm,
        rate.p_miss as p_miss,
        rate.p_fa as p_fa,
        price.price_miss * rate.p_miss + price.price_fa * rate.p_fa as c_det,
        price.c_default as c_default
    from rate as rate
    inner join base.detection_price__v1 as price
        on price.profile_no = rate.profile_no

)

select
    cost.run_no as run_no,
    cost.profile_no as profile_no,
    cost.subset_no as subset_no,
    'story' as weighting,
    cost.n_target as n_target,
    cost.n_nontarget as n_nontarget,
    cost.n_hit as n_hit,
    cost.n_false_alarm as n_false_alarm,
    cost.n_target - cost.n_hit as n_miss,
    cost.n_nontarget - cost.n_false_alarm as n_correct_rejection,
    cost.n_target + cost.n_nontarget as n_trial,
    case when cost.n_target > 0 and cost.n_nontarget > 0 then cost.n_target + cost.n_nontarget else 0 end as n_cost,
    cost.p_miss as p_miss,
    cost.p_fa as p_fa,
    cost.c_det as c_det,
    case when cost.c_default > 0 then cost.c_det / cost.c_default end as c_det_norm
from cost as cost
