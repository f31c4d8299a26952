/*
title:    Linear utility of each topic, raw and scaled (T11U, T11SU, TDT5SU)
formula:  With A = n_hit, B = n_false_alarm, C = n_miss:
              t11u  = A / beta - B                              (beta 0.5: 2 A - B)
              t11su = (max((A - beta B) / (A + C), floor) - floor) / (1 - floor)
          beta and floor are t11su_beta and t11su_min of the profile; tdt5su is
          t11su with beta = c_fa / c_miss.
source:   The adaptive filtering paper, section 3.1 and 3.2; S. Robertson, I. Soboroff, The TREC 2002 Filtering Track
          Report
inputs:   metric.detection_count__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no      key           run
    profile_no  key           scoring profile
    subset_no   key           subset; 0 is all
    block_no    key           block (topic)
    n_trial     count         scored trials
    n_target    count         relevant stories
    t11u        score         in false alarms; NULL without trials
    t11su       ratio [0, 1]  NULL when nothing is relevant
    tdt5su      ratio [0, 1]  NULL when nothing is relevant
metrics:
    t11u    n=n_trial   best=highest  Linear utility
    t11su   n=n_target  best=highest  Scaled linear utility
    tdt5su  n=n_target  best=highest  Scaled linear utility with the ratio of the detection costs
edges:    A run of scores alone retrieved nothing and is not here.
          Retrieving nothing gives t11u 0 and t11su -floor / (1 - floor): 1/3 with the
          floor -0.5, for every beta. Below the floor all systems are equal (0).
class:    exact
see also: effectiveness__v1, mean__v1, detection_utility__v1 (the utility of TDT3eval)
*/
select
    run_no, profile_no, subset_no, block_no, n_trial, n_target,
    case when n_trial > 0 then cast(n_hit as double) / t11su_beta - n_false_alarm end as t11u,
    scaled_utility(ratio(n_hit - t11su_beta * n_false_alarm, n_target), t11su_min) as t11su,
    scaled_utility(ratio(n_hit - c_fa / c_miss * n_false_alarm, n_target), t11su_min) as tdt5su
from metric.detection_count__v1 join registry.profile using (profile_no)
where is_decided = 1
