/*
title:    Stories in reference topics
formula:  the scored target trials
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, figure 2 (delta_ref)
inputs:   base.tracking_label__v1, metric.bcubed_run__v1
grain:    run_no, profile_no, story_no, block_no
columns:
    run_no        key   run
    profile_no    key   scoring profile
    story_no      key   story
    block_no      key   topic
    is_partition  flag  1: no story of the run has two topics, here and in response__v1
edges:    A pair that is not scored (training, brief, outside the test set) is not here.
class:    exact
volume:   judgments
see also: response__v1
*/
select
    run.run_no as run_no,
    label.profile_no as profile_no,
    label.trial_no as story_no,
    label.block_no as block_no,
    run.is_partition as is_partition
from base.tracking_label__v1 as label
inner join metric.bcubed_run__v1 as run
    on run.condition_no = label.condition_no
where label.segment_no > 0
    and label.is_target = 1
    and label.is_scored = 1
