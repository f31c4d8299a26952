/*
title:       Teams without a run in a required condition
question:    Which team has no run in a condition that the evaluation plan requires?
about:       runs
inputs:      report.condition, registry.condition, registry.run, registry.run_fact
parameters:
    condition  condition  none  one condition; none: all that are required
grain:       team, condition_id
columns:
    team          key    the team, as metadata or a label say; of a run without one the run
    condition_id  key    required condition without a run of the team
    task          text   its task
    n_run         count  runs of the team in other conditions of this task; 0: it takes no part in the task
order:       Conditions by name; teams that take part in the task first.
edges:       A team has a run somewhere in the store. Withdrawn runs are runs.
see also:    conditions, report.condition
*/
with

label as (
    select run_no, coalesce(max(case when name = 'team' then value end), max(value)) as team
    from registry.run_fact
    where name = 'actor.team'
        or name = 'team' and path = ''
    group by run_no
),

entry as (
    select coalesce(team, run_id) as team, condition_id, task
    from registry.run
    join registry.condition using (condition_no)
    left join label using (run_no)
),

required as (
    select condition_id, task
    from report.condition
    where plan = 'required'
        and condition_id = coalesce($condition, condition_id)
)

select
    team, required.condition_id, required.task, count(*) filter (where entry.task = required.task) as n_run
from entry
cross join required
group by all
having count(*) filter (where entry.condition_id = required.condition_id) = 0
order by required.condition_id, n_run desc, team
