/*
what: The runs of conditions with a copy, and those of the copies (`second_run`). `second_no` is NULL where the copy of
      a run is missing, `run_no` where a copy is removed: the run was removed, or has other rows.
*/
create or replace temp table second_run as
with first as (
    select run_no, run_id, content_sha256, second_condition.second_no as condition_no, second_id
    from registry.run
    join second_condition using (condition_no)
)

select
    first.run_no,
    second.run_no as second_no,
    first.condition_no as place,
    'run:' || second_id || '/' || run_id as owner
from first
full join (
    select run.run_no, run.run_id, run.content_sha256, run.condition_no
    from registry.run
    join second_condition on second_no = run.condition_no
) as second using (condition_no, run_id, content_sha256)
order by first.condition_no, first.run_no
