/*
title:    Histogram of P(rel) over the topics of every condition
source:   Manmatha, Feng, Allan, A Critical Examination of TDT's Cost Function, figure 1
inputs:   metric.cost_p_rel_histogram__v1, registry.condition, registry.profile
grain:    condition_id, profile_id, bin_no
columns:
    condition_id  key           evaluation condition
    profile_id    key           scoring profile
    bin_no        key           bin, from 0
    lower         ratio [0, 1]  lower end of the bin
    upper         ratio [0, 1]  upper end of the bin
    n_topic       count         topics in it
edges:    As metric.cost_p_rel_histogram.
class:    exact
see also: topic_ratio
*/
select condition_id, profile_id, bin_no, lower, upper, n_topic
from metric.cost_p_rel_histogram__v1
join registry.condition using (condition_no) join registry.profile using (profile_no)
