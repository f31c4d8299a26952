/*
title:    Every number before and after a second judgment set
source:   The 2004 TDT evaluation plan, section 6 (adjudication)
inputs:   registry.condition, report.score
grain:    run_id, condition_id, profile_id, subset, metric, weighting
columns:
    run_id        key     run
    task          text    task of its condition
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    subset        key     all, or what the number is conditioned on
    metric        key     metric id
    weighting     key     topic, topic_all, story or none
    before        double  with the first judgment set
    after         double  with the second
    difference    double  after - before; NULL where either is undefined
    n_before      count   blocks or trials behind it, before
    n_after       count   and after
edges:    Conditions without a second judgment set have no row.
class:    exact
see also: score, adjudication
*/
select
    run_id, earlier.task, earlier.condition_id, profile_id, subset, metric, weighting, earlier.value as before,
    later.value as after, later.value - earlier.value as difference, earlier.n as n_before, later.n as n_after
from registry.condition as twin
join registry.condition as base_condition on base_condition.condition_no = twin.base_condition_no
join report.score as earlier on earlier.condition_id = base_condition.condition_id
join report.score as later using (run_id, profile_id, subset, metric, weighting)
where twin.judgment_set = 2 and later.condition_id = twin.condition_id
