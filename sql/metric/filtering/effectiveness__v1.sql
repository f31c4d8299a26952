/*
title:    Precision, recall and F of each topic
formula:  With A = n_hit, B = n_false_alarm, C = n_miss:
              precision = A / (A + B)
              recall    = A / (A + C)
              f_beta    = (1 + beta^2) A / ((A + B) + beta^2 (A + C)),  0 when A = 0
              f1        = f_beta with beta = 1
          beta is f_beta of the profile.
source:   The adaptive filtering paper, section 3.1; C. J. van Rijsbergen, Information Retrieval (1979), chapter 7
          (F = 1 - E)
inputs:   metric.detection_count__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no       key           run
    profile_no   key           scoring profile
    subset_no    key           subset; 0 is all
    block_no     key           block (topic)
    n_retrieved  count         stories the system accepted
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
edges:    A run of scores alone retrieved nothing and is not here.
          A topic with nothing relevant has no recall, and F 0, which says nothing about
          the system: what a mean does with it is a policy of the profile (empty_topic).
          A topic with nothing retrieved has no precision (policy empty_retrieved).
class:    exact
see also: mean__v1 (macro average), pooled__v1, utility__v1
*/
select
    run_no, profile_no, subset_no, block_no, n_hit + n_false_alarm as n_retrieved, n_target, n_trial,
    ratio(n_hit, n_retrieved) as precision, ratio(n_hit, n_target) as recall,
    f_measure(n_hit, n_retrieved, n_target, n_trial) as f1,
    f_measure(n_hit, n_retrieved, n_target, n_trial, profile.f_beta) as f_beta
from metric.detection_count__v1 join registry.profile using (profile_no)
where is_decided = 1
