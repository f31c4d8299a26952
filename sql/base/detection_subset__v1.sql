/*
title:    Every profile and subset that a detection run is scored under
source:   The 2004 TDT evaluation plan, section 5 (every task is a detection task)
inputs:   registry.run, registry.condition, registry.condition_profile, registry.task, base.subset
grain:    run_no, profile_no, subset_no
columns:
    run_no        key    run
    profile_no    key    scoring profile
    subset_no     key    subset; 0 is all
    condition_no  count  condition of the run
    task          text   a task of decisions
edges:    Numbers of a run are joined to this, so that a subset without trials has a row of zeros, or of NULL.
class:    exact
see also: metric.detection_pooled__v1, metric.detection_topic_weighted__v1
*/
select run_no, profile_no, subset_no, condition_no, task
from registry.run join registry.condition using (condition_no) join registry.task using (task)
join registry.condition_profile using (condition_no)
join base.subset using (condition_no)
where is_detection = 1
