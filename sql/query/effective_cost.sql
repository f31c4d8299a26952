/*
title:       Effective cost ratio
question:    How many false alarms cost as much as one miss under a condition, compared with the nominal cost ratio?
about:       curves
inputs:      report.corpus_table
parameters:
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
grain:       condition_id, profile_id
columns:
    condition_id   key           evaluation condition
    profile_id     key           scoring profile
    n_topic        count         topics with trials
    n_topic_empty  count         of these, topics without targets
    mean_n_test    count         targets of a topic, average
    p_rel          ratio [0, 1]  share of targets; NULL without any
    rho            ratio         how many times too likely the fixed prior takes a target to be
    nominal_ratio  ratio         false alarms that a miss is meant to weigh
    exact_ratio    ratio         false alarms per miss
order:       Conditions and profiles by name.
show:        table
pages:       report 90 condition 90
see also:    topic_sizes, report.corpus_table
*/
select condition_id, profile_id, n_topic, n_topic_empty, mean_n_test, p_rel, rho, nominal_ratio, exact_ratio
from report.corpus_table
where condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
order by condition_id, profile_id
