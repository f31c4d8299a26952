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
    n_retrieved      count         stories the system said yes to
    n_target         count         relevant stories
    n_trial          count         scored trials
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
          Retrieving nothing at all has no precision and F 0.
class:    exact
see also: mean__v1 (macro average)
*/
with

counted as (

    select
        pooled.run_no as run_no,
        pooled.profile_no as profile_no,
        pooled.subset_no as subset_no,
        pooled.weighting as weighting,
        pooled.n_hit as n_hit,
        pooled.n_false_alarm as n_false_alarm,
        pooled.n_hit + pooled.n_false_alarm as n_retrieved,
        pooled.n_target as n_target,
        pooled.n_trial as n_trial,
        pooled.n_cost as n_cost,
        pooled.c_det as c_det,
        profile.f_beta * profile.f_beta as beta_squared,
        profile.t11su_beta as t11su_beta,
        profile.t11su_min as floor_value,
        case
            when pooled.n_target > 0
                then (pooled.n_hit - profile.t11su_beta * pooled.n_false_alarm) / pooled.n_target
        end as norm_t11,
        case
            when pooled.n_target > 0
                then (pooled.n_hit - profile.c_fa / profile.c_miss * pooled.n_false_alarm) / pooled.n_target
        end as norm_tdt5,
        profile.c_miss * pooled.n_miss + profile.c_fa * pooled.n_false_alarm as cost_total,
        case
            when profile.c_miss * pooled.n_target <= profile.c_fa * pooled.n_nontarget then profile.c_miss * pooled.n_target
            else profile.c_fa * pooled.n_nontarget
        end as default_total
    from metric.detection_pooled__v1 as pooled
    inner join registry.profile as profile
        on profile.profile_no = pooled.profile_no

)

select
    counted.run_no as run_no,
    counted.profile_no as profile_no,
    counted.subset_no as subset_no,
    counted.weighting as weighting,
    case when counted.n_retrieved > 0 then cast(counted.n_hit as double) / counted.n_retrieved end as precision,
    case when counted.n_target > 0 then cast(counted.n_hit as double) / counted.n_target end as recall,
    case
        when counted.n_hit > 0 then cast(2 * counted.n_hit as double) / (counted.n_retrieved + counted.n_target)
        when counted.n_trial > 0 then cast(0 as double)
    end as f1,
    case
        when counted.n_hit > 0
            then (1 + counted.beta_squared) * counted.n_hit / (counted.n_retrieved + counted.beta_squared * counted.n_target)
        when counted.n_trial > 0 then cast(0 as double)
    end as f_beta,
    case when counted.n_trial > 0 then cast(counted.n_hit as double) / counted.t11su_beta - counted.n_false_alarm end as t11u,
    case
        when counted.norm_t11 >= counted.floor_value then (counted.norm_t11 - counted.floor_value) / (1 - counted.floor_value)
        when counted.norm_t11 < counted.floor_value then cast(0 as double)
    end as t11su,
    case
        when counted.norm_tdt5 >= counted.floor_value then (counted.norm_tdt5 - counted.floor_value) / (1 - counted.floor_value)
        when counted.norm_tdt5 < counted.floor_value then cast(0 as double)
    end as tdt5su,
    counted.c_det as c_trk,
    case when counted.n_trial > 0 then counted.cost_total / counted.n_trial end as c_det_prel,
    case when counted.default_total > 0 then counted.cost_total / counted.default_total end as c_det_prel_norm,
    counted.n_retrieved as n_retrieved,
    counted.n_target as n_target,
    counted.n_trial as n_trial,
    counted.n_cost as n_cost,
    case when counted.default_total > 0 then counted.n_trial else 0 end as n_trial_norm
from counted as counted
