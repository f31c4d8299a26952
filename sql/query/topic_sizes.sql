/*
title:       How large each topic is
question:    How many targets and non-targets has each topic, and how many false alarms cost as much as one miss on it?
about:       topics
inputs:      report.topic_ratio
parameters:
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
grain:       condition_id, profile_id, block_id
columns:
    condition_id  key           evaluation condition
    profile_id    key           scoring profile
    block_id      key           topic or block of links
    n_target      count         scored target trials
    n_nontarget   count         scored non-target trials
    p_rel         ratio [0, 1]  share of the trials that are targets; NULL without trials
    exact_ratio   ratio         false alarms per miss; NULL without targets
order:       Conditions and profiles by name, topics with the fewest targets first.
see also:    undefined_topics, effective_cost, report.topic_ratio
*/
select condition_id, profile_id, block_id, n_target, n_nontarget, p_rel, exact_ratio
from report.topic_ratio
where condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
order by condition_id, profile_id, n_target, block_id
