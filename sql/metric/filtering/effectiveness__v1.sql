/*
title:    Precision, recall and F of each topic
formula:  With A = n_hit, B = n_false_alarm, C = n_miss:
              precision = A / (A + B)
              recall    = A / (A + C)
              f_beta    = (1 + beta^2) A / ((A + B) + beta^2 (A + C)),  0 when A = 0
              f1        = f_beta with beta = 1
          beta is f_beta of the profile.
source:   The adaptive filtering paper, section 3.1; C. J. van Rijsbergen, Information Retrieval (1979), chapter 7 (F = 1 - E)
inputs:   metric.detection_count__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no       key           run
    profile_no   key           scoring profile
    subset_no    key           subset; 0 is all
    block_no     key           block (topic)
    n_retrieved  count         stories the system said yes to
    n_target     count         relevant stories
    n_trial      count         scored trials
    precision    ratio [0, 1]  NULL when nothing was retrieved
    recall       ratio [0, 1]  NULL when nothing is relevant
    f1           ratio [0, 1]  0 without a hit; NULL without trials
    f_beta       ratio [0, 1]  0 without a hit; NULL without trials
metrics:
    precision  n=n_retrieved  best=highest  Precision
    recall     n=n_target     best=highest  Recall
    f1         n=n_trial      best=highest  F1
    f_beta     n=n_trial      best=highest  F_beta
edges:    A topic with nothing relevant has no recall, and F 0, which says nothing about
          the system: what a mean does with it is a policy of the profile (empty_topic).
          A topic with nothing retrieved has no precision (policy empty_retrieved).
class:    exact
see also: mean__v1 (macro average), pooled__v1, utility__v1
*/
with

counted as (

    select
        counts.run_no as run_no,
        counts.profile_no as profile_no,
        counts.subset_no as subset_no,
        counts.block_no as block_no,
        counts.n_hit as n_hit,
        counts.n_hit + counts.n_false_alarm as n_retrieved,
        counts.n_target as n_target,
        counts.n_trial as n_trial,
        profile.f_beta * profile.f_beta as beta_squared
    from metric.detection_count__v1 as counts
    inner join registry.profile as profile
        on profile.profile_no = counts.profile_no

)

select
    counted.run_no as run_no,
    counted.profile_no as profile_no,
    counted.subset_no as subset_no,
    counted.block_no as block_no,
    counted.n_retrieved as n_retrieved,
    counted.n_target as n_target,
    counted.n_trial as n_trial,
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
    end as f_beta
from counted as counted
