/*
title:    Tracking runs, and whether it is known that no story has several topics
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, section 3, limitation 3 (there a story is relevant to only
          one topic)
inputs:   registry.run, registry.condition
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
with

response as (
    select run_no, condition_no, is_partition as is_response_partition
    from registry.run
),

reference as (
    select condition_no, is_partition as is_reference_partition
    from registry.condition
    where task = 'tracking'
)

select
    run_no, condition_no,
    case when is_response_partition = 1 and is_reference_partition = 1 then 1 else 0 end as is_partition
from response
join reference using (condition_no)
