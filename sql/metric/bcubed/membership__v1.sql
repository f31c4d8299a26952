/*
title:    Memberships of stories in reference topics and in system topics, of runs in which a story may have several
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, figure 2 (delta_ref and delta_sys)
inputs:   metric.bcubed_reference__v1, metric.bcubed_response__v1
grain:    run_no, profile_no, story_no, block_no, is_response
columns:
    run_no       key  run
    profile_no   key  scoring profile
    story_no     key  story
    block_no     key  topic
    is_response  key  1: the system puts the story in the topic; 0: the reference does
edges:    Stored, because cell__v1 and overlap_unit__v1 both read it.
class:    exact
see also: cell__v1, partition_cell__v1 (the other runs)
*/
select run_no, profile_no, story_no, block_no, 0 as is_response from metric.bcubed_reference__v1 where is_partition = 0
union all
select run_no, profile_no, story_no, block_no, 1 as is_response from metric.bcubed_response__v1 where is_partition = 0
