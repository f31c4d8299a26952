/*
title:    Miss and false-alarm probability and detection cost of each block
formula:  p_miss = n_miss / n_target          p_fa = n_false_alarm / n_nontarget
          c_det = c_miss * p_target * p_miss + c_fa * (1 - p_target) * p_fa
          c_det_norm = c_det / min(c_miss * p_target, c_fa * (1 - p_target))   (base.detection_price)
source:   The 2004 TDT evaluation plan, section 5 (C_Det and its normalisation); A. Bagga, Enhancing the TDT Tracking
          Evaluation, figure 5
inputs:   metric.detection_count__v1, base.detection_price__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no       key           run
    profile_no   key           scoring profile
    subset_no    key           subset; 0 is all
    block_no     key           block (topic)
    n_target     count         scored target trials
    n_nontarget  count         scored non-target trials
    n_trial      count         scored trials behind the cost; 0 where it is undefined
    n_decided_target     count  targets behind p_miss; 0 where the run gave scores alone
    n_decided_nontarget  count  non-targets behind p_fa
    p_miss       ratio [0, 1]  NULL without targets
    p_fa         ratio [0, 1]  NULL without non-targets
    c_det        cost          NULL where p_miss or p_fa is
    c_det_norm   cost          1 is a system that decides without reading
metrics:
    p_miss      n=n_decided_target     best=lowest  Miss probability
    p_fa        n=n_decided_nontarget  best=lowest  False-alarm probability
    c_det       n=n_trial              best=lowest  Detection cost
    c_det_norm  n=n_trial              best=lowest  Normalised detection cost
edges:    0/0 is NULL, never 0 or NaN. Of a run of scores alone all rates are NULL.
class:    exact
see also: topic_weighted__v1, pooled__v1
*/
select
    run_no, profile_no, subset_no, block_no, n_target, n_nontarget,
    case when n_target > 0 and n_nontarget > 0 then n_decided else 0 end as n_trial,
    case when is_decided = 1 then n_target else 0 end as n_decided_target,
    case when is_decided = 1 then n_nontarget else 0 end as n_decided_nontarget, ratio(n_miss, n_target) as p_miss,
    ratio(n_false_alarm, n_nontarget) as p_fa, detection_cost(p_miss, p_fa, weight_miss, weight_fa) as c_det,
    normalised_cost(c_det, c_default) as c_det_norm
from metric.detection_count__v1 join base.detection_price__v1 using (profile_no)
