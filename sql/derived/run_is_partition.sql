/*
title:    Whether a run accepts no story for two topics
source:   Our own: B-CUBED of a partition needs no overlaps of topics (metric.bcubed_run__v1)
inputs:   registry.run, registry.condition, registry.task, base.decision
fills:    registry.run.is_partition
owner:    run_no
after:    decisions of the run are loaded
class:    exact
see also: condition_is_partition
*/
with

several as (
    select run_no, trial_no
    from base.decision
    where is_yes
    group by run_no, trial_no
    having count(*) > 1
)

select
    run_no,
    case when exists (select 1 from several where several.run_no = run.run_no) then 0 else 1 end as is_partition
from registry.run
join registry.condition using (condition_no)
join registry.task using (task)
where may_be_partition = 1
