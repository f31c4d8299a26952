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
        run_no, profile_no, subset_no,
        cast(0 as bigint) as n_target,
        cast(0 as bigint) as n_nontarget,
        cast(0 as bigint) as n_hit,
        cast(0 as bigint) as n_false_alarm
    from registry.run
    join registry.condition using (condition_no)
    join registry.condition_profile using (condition_no)
    join base.subset using (condition_no)
    where task in ('tracking', 'new_event', 'link', 'filtering')
    union all
    select
        run_no, profile_no, subset_no, n_target, n_nontarget, n_hit, n_false_alarm
    from metric.detection_count__v1
),

total as (
    select
        run_no, profile_no, subset_no,
        cast(sum(n_target) as bigint) as n_target,
        cast(sum(n_nontarget) as bigint) as n_nontarget,
        cast(sum(n_hit) as bigint) as n_hit,
        cast(sum(n_false_alarm) as bigint) as n_false_alarm
    from part
    group by run_no, profile_no, subset_no
),

rate as (
    select
        run_no, profile_no, subset_no, n_target, n_nontarget, n_hit, n_false_alarm,
        case when n_target > 0 then cast(n_target - n_hit as double) / n_target end as p_miss,
        case when n_nontarget > 0 then cast(n_false_alarm as double) / n_nontarget end as p_fa
    from total
),

cost as (
    select
        run_no, profile_no, subset_no, n_target, n_nontarget, n_hit, n_false_alarm, p_miss, p_fa,
        price_miss * p_miss + price_fa * p_fa as c_det,
        c_default
    from rate
    join base.detection_price__v1 using (profile_no)
)

select
    run_no, profile_no, subset_no,
    'story' as weighting,
    n_target, n_nontarget, n_hit, n_false_alarm,
    n_target - n_hit as n_miss,
    n_nontarget - n_false_alarm as n_correct_rejection,
    n_target + n_nontarget as n_trial,
    case when n_target > 0 and n_nontarget > 0 then n_target + n_nontarget else 0 end as n_cost,
    p_miss, p_fa, c_det,
    case when c_default > 0 then c_det / c_default end as c_det_norm
from cost
