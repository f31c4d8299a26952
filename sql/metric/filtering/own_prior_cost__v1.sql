/*
title:    Detection cost of each topic with the topic's own probability of relevance
formula:  With C = n_miss, B = n_false_alarm, N = n_trial and P = n_target / N:
              c_det_prel      = c_miss P p_miss + c_fa (1 - P) p_fa = (c_miss C + c_fa B) / N
              c_det_prel_norm = c_det_prel / min(c_miss P, c_fa (1 - P))
source:   Manmatha, Feng, Allan, A Critical Examination of TDT's Cost Function, equation 1 with P(rel) of the topic
          (section 2);
          the adaptive filtering paper, section 3.2 (the same with the counts)
inputs:   metric.detection_count__v1, metric.detection_rate__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no           key           run
    profile_no       key           scoring profile
    subset_no        key           subset; 0 is all
    block_no         key           block (topic)
    n_trial          count         scored trials
    n_trial_norm     count         scored trials where the normalised cost is defined; 0 elsewhere
    n_trial_fixed    count         scored trials where the cost with the fixed prior is defined; 0 elsewhere
    p_rel            ratio [0, 1]  share of the trials that are targets; NULL without trials
    c_det_prel       cost          mean cost of a decision; NULL without trials
    c_det_prel_norm  cost          1 is a system that decides without reading; NULL without targets or without
                                   non-targets
    c_trk            cost          detection cost with the fixed prior, under the name of the filtering literature
metrics:
    c_det_prel       n=n_trial        best=lowest  Detection cost with the topic's own prior
    c_det_prel_norm  n=n_trial_norm   best=lowest  Normalised detection cost with the topic's own prior
    c_trk            n=n_trial_fixed  best=lowest  Tracking cost (the detection cost)
edges:    A run of scores alone retrieved nothing and is not here.
          A topic without targets has a cost (its false alarms) and no normalised one:
          its normaliser is 0. So has a topic of targets only.
          Where c_miss P <= c_fa (1 - P): 1 - c_det_prel_norm = (A - beta B) / (A + C)
          with beta = c_fa / c_miss, which is tdt5su before its floor.
class:    exact
see also: mean__v1, cost_topic_ratio__v1 (what the fixed prior does instead)
*/
with cost as (
    select
        count.*, c_miss * n_miss + c_fa * n_false_alarm as total,
        case when c_miss * n_target <= c_fa * n_nontarget then c_miss * n_target else c_fa * n_nontarget end
            as default_total
    from metric.detection_count__v1 as count join registry.profile using (profile_no)
    where is_decided = 1
)

select
    run_no, profile_no, subset_no, block_no, cost.n_trial,
    case when default_total > 0 then cost.n_trial else 0 end as n_trial_norm, rate.n_trial as n_trial_fixed,
    ratio(cost.n_target, cost.n_trial) as p_rel, ratio(total, cost.n_trial) as c_det_prel,
    normalised_cost(total, default_total) as c_det_prel_norm, c_det as c_trk
from cost join metric.detection_rate__v1 as rate using (run_no, profile_no, subset_no, block_no)
