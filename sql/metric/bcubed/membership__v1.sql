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
edges:    Kept, because cell__v1 and overlap_membership__v1 both start from it.
class:    exact
see also: cell__v1, partition_cell__v1 (the other runs)
*/
select
    reference.run_no as run_no,
    reference.profile_no as profile_no,
    reference.story_no as story_no,
    reference.block_no as block_no,
    0 as is_response
from metric.bcubed_reference__v1 as reference
where reference.is_partition = 0
union all
select
    response.run_no as run_no,
    response.profile_no as profile_no,
    response.story_no as story_no,
    response.block_no as block_no,
    1 as is_response
from metric.bcubed_response__v1 as response
where response.is_partition = 0
