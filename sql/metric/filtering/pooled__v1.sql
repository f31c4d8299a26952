/*
title:    Filtering measures of all topics together (pooled, micro average)
formula:  Counts are added over the topics first; then, with A, B, C and N of the sums,
          precision, recall, f1, f_beta, t11u, t11su, tdt5su and c_det_prel as for one topic,
          c_trk as the pooled detection cost.
source:   The adaptive filtering paper, section 3.1; Manmatha, Feng, Allan, equation 1
inputs:   metric.detection_pooled__v1, registry.profile
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no           key           run
    profile_no       key           scoring profile
    subset_no        key           subset; 0 is all
    weighting        key           story
    precision        ratio [0, 1]  NULL when nothing was retrieved
    recall           ratio [0, 1]  NULL when nothing is relevant
    f1               ratio [0, 1]  0 without a hit; NULL without trials
    f_beta           ratio [0, 1]  0 without a hit; NULL without trials
    t11u             score         in false alarms; NULL without trials
    t11su            ratio [0, 1]  NULL when nothing is relevant
    tdt5su           ratio [0, 1]  NULL when nothing is relevant
    c_trk            cost          the pooled detection cost
    c_det_prel       cost          mean cost of a decision; NULL without trials
    c_det_prel_norm  cost          NULL without targets or without non-targets
    n_retrieved      count         stories the system accepted
    n_target         count         relevant stories; 0 where the run gave scores alone
    n_trial          count         scored trials; 0 there
    n_cost           count         scored trials behind c_trk
    n_trial_norm     count         scored trials behind c_det_prel_norm
metrics:
    precision        n=n_retrieved   best=highest  Precision
    recall           n=n_target      best=highest  Recall
    f1               n=n_trial       best=highest  F1
    f_beta           n=n_trial       best=highest  F_beta
    t11u             n=n_trial       best=highest  Linear utility
    t11su            n=n_target      best=highest  Scaled linear utility
    tdt5su           n=n_target      best=highest  Scaled linear utility with the ratio of the detection costs
    c_trk            n=n_cost        best=lowest   Tracking cost (the detection cost)
    c_det_prel       n=n_trial       best=lowest   Detection cost with the pooled prior
    c_det_prel_norm  n=n_trial_norm  best=lowest   Normalised detection cost with the pooled prior
edges:    Topics with nothing relevant count here with their false alarms.
          Retrieving nothing at all has no precision and F 0. Scores alone retrieve nothing: all is NULL.
class:    exact
see also: mean__v1 (macro average)
*/
with counted as (
    select
        pooled.*, n_hit + n_false_alarm as n_retrieved, profile.f_beta, t11su_beta, t11su_min, c_fa, c_miss,
        c_miss * n_miss + c_fa * n_false_alarm as total,
        case when c_miss * n_target <= c_fa * n_nontarget then c_miss * n_target else c_fa * n_nontarget end
            as default_total
    from metric.detection_pooled__v1 as pooled join registry.profile using (profile_no)
)

select
    run_no, profile_no, subset_no, weighting, ratio(n_hit, n_retrieved) as precision,
    ratio(n_hit, n_decided_target) as recall, f_measure(n_hit, n_retrieved, n_decided_target, n_decided) as f1,
    f_measure(n_hit, n_retrieved, n_decided_target, n_decided, counted.f_beta) as f_beta,
    case when n_decided > 0 then cast(n_hit as double) / t11su_beta - n_false_alarm end as t11u,
    scaled_utility(ratio(n_hit - t11su_beta * n_false_alarm, n_decided_target), t11su_min) as t11su,
    scaled_utility(ratio(n_hit - c_fa / c_miss * n_false_alarm, n_decided_target), t11su_min) as tdt5su,
    c_det as c_trk, ratio(total, n_decided) as c_det_prel, normalised_cost(total, default_total) as c_det_prel_norm,
    n_retrieved, n_decided_target as n_target, n_decided as n_trial, n_cost,
    case when default_total > 0 then n_decided else 0 end as n_trial_norm
from counted
