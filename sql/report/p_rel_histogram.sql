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
select
    condition.condition_id as condition_id,
    profile.profile_id as profile_id,
    histogram.bin_no as bin_no,
    histogram.lower as lower,
    histogram.upper as upper,
    histogram.n_topic as n_topic
from metric.cost_p_rel_histogram__v1 as histogram
inner join registry.condition as condition
    on condition.condition_no = histogram.condition_no
inner join registry.profile as profile
    on profile.profile_no = histogram.profile_no
