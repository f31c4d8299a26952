/*
title:    Stories in system topics
formula:  the scored trials that the system accepted
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, figure 2 (delta_sys)
inputs:   base.tracking_decision__v1, metric.bcubed_run__v1
grain:    run_no, profile_no, story_no, block_no
columns:
    run_no        key   run
    profile_no    key   scoring profile
    story_no      key   story
    block_no      key   topic
    is_partition  flag  1: no story of the run has two topics, here and in reference__v1
edges:    A pair that is not scored (training, brief, outside the test set) is not here.
class:    exact
volume:   decisions
see also: reference__v1
*/
select run_no, profile_no, trial_no as story_no, block_no, is_partition
from base.tracking_decision__v1 join metric.bcubed_run__v1 using (run_no)
where is_yes = 1
