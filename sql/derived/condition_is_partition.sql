/*
title:    Whether no story of a condition is labelled for two topics
source:   Our own: B-CUBED of a partition needs no overlaps of topics (metric.bcubed_run__v1)
inputs:   registry.condition, registry.task, base.labelled_story
fills:    registry.condition.is_partition
owner:    condition_no
after:    base.labelled_story
edges:    A profile can only leave stories out, so what holds of all that is loaded holds under each profile.
class:    exact
see also: run_is_partition
*/
with

several as (
    select condition_no, story_no
    from base.labelled_story
    group by condition_no, story_no
    having count(*) > 1
)

select
    condition_no,
    case when exists (select 1 from several where several.condition_no = condition.condition_no) then 0 else 1 end
        as is_partition
from registry.condition
join registry.task using (task)
where may_be_partition = 1
