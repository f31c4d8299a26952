/*
title:    Story-weighted (pooled) counts, error rates and detection cost
formula:  Every decision counts the same: counts are added over the topics first.
          p_miss = sum n_miss / sum n_target      p_fa = sum n_false_alarm / sum n_nontarget
          c_det and c_det_norm as in rate__v1, from these
source:   The 2004 TDT evaluation plan, section 5 (story-weighted estimation);
          A. Bagga, Enhancing the TDT Tracking Evaluation, figure 1
inputs:   metric.detection_count__v1, base.detection_price__v1, base.detection_subset__v1, base.decision_rule__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no               key           run
    profile_no           key           scoring profile
    subset_no            key           subset; 0 is all
    weighting            key           story
    n_target             count         scored target trials
    n_nontarget          count         scored non-target trials
    n_hit                count         targets the system accepted
    n_false_alarm        count         non-targets the system accepted
    n_miss               count         targets rejected or without a decision
    n_correct_rejection  count         non-targets rejected or without a decision
    n_trial              count         scored trials
    n_cost               count         trials behind the cost; 0 where it is undefined
    n_decided            count         trials that were decided on; 0 where the run gave scores alone
    n_decided_target     count         targets among them
    n_decided_nontarget  count         non-targets among them
    p_miss               ratio [0, 1]  NULL without targets
    p_fa                 ratio [0, 1]  NULL without non-targets
    c_det                cost          NULL where p_miss or p_fa is
    c_det_norm           cost          1 is a system that decides without reading
metrics:
    n_target             n=n_trial              best=none     Target trials
    n_nontarget          n=n_trial              best=none     Non-target trials
    n_hit                n=n_decided            best=highest  Targets accepted
    n_false_alarm        n=n_decided            best=lowest   Non-targets accepted
    n_miss               n=n_decided            best=lowest   Targets rejected
    n_correct_rejection  n=n_decided            best=highest  Non-targets rejected
    p_miss               n=n_decided_target     best=lowest   Miss probability
    p_fa                 n=n_decided_nontarget  best=lowest   False-alarm probability
    c_det                n=n_cost               best=lowest   Detection cost
    c_det_norm           n=n_cost               best=lowest   Normalised detection cost
edges:    Every run has a row for every subset of its condition, also without trials.
          Of a run of scores alone the counts of its answers, rates and costs are NULL.
class:    exact
see also: topic_weighted__v1
*/
-- of scores alone nothing was accepted or rejected
with total as (
    select
        run_no, profile_no, subset_no, rule.is_decided as has_answer, coalesce(whole_sum(n_target), 0) as sum_target,
        coalesce(whole_sum(n_nontarget), 0) as sum_nontarget,
        case when has_answer = 1 then coalesce(whole_sum(n_hit), 0) end as hit,
        case when has_answer = 1 then coalesce(whole_sum(n_false_alarm), 0) end as false_alarm
    from base.detection_subset__v1 join base.decision_rule__v1 as rule using (run_no, profile_no)
    left join metric.detection_count__v1 using (run_no, profile_no, subset_no)
    group by run_no, profile_no, subset_no, rule.is_decided
)

select
    run_no, profile_no, subset_no, 'story' as weighting, sum_target as n_target, sum_nontarget as n_nontarget,
    hit as n_hit, false_alarm as n_false_alarm, sum_target - hit as n_miss,
    sum_nontarget - false_alarm as n_correct_rejection, sum_target + sum_nontarget as n_trial,
    case when sum_target > 0 and sum_nontarget > 0 and has_answer = 1 then n_trial else 0 end as n_cost,
    case when has_answer = 1 then n_trial else 0 end as n_decided,
    case when has_answer = 1 then sum_target else 0 end as n_decided_target,
    case when has_answer = 1 then sum_nontarget else 0 end as n_decided_nontarget,
    ratio(sum_target - hit, sum_target) as p_miss, ratio(false_alarm, sum_nontarget) as p_fa,
    detection_cost(p_miss, p_fa, weight_miss, weight_fa) as c_det, normalised_cost(c_det, c_default) as c_det_norm
from total join base.detection_price__v1 using (profile_no)
