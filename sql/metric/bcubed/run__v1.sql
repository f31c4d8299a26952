/*
title:    Tracking runs, and whether it is known that no story has several topics
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, section 3, limitation 3 (there a story is relevant to only
          one topic)
inputs:   registry.run, registry.condition, registry.task
grain:    run_no
columns:
    run_no        key    run
    condition_no  count  condition of the run
    is_partition  flag   1: no story has two topics, in the reference and in the response; 0: one has, or unchecked
edges:    Loading checks all judgments, training stories and decisions yes, so
          1 holds under every profile, which can only take some away.
class:    exact
see also: partition_cell__v1, membership__v1
*/
select
    run_no, condition_no,
    case when run.is_partition = 1 and condition.is_partition = 1 then 1 else 0 end as is_partition
from registry.run join registry.condition using (condition_no) join registry.task using (task)
where may_be_partition = 1
