/*
title:       Runs
question:    Which runs does the store have?
about:       runs
inputs:      registry.run, registry.condition, registry.problem, registry.withdrawal
parameters:
    conditions  names  none  conditions; none: all
grain:       run_id, condition_id
columns:
    run_id        key    run
    condition_id  key    evaluation condition
    task          text   its task
    system        text   what made the run
    format        text   format of its files
    n_row         count  decisions or rows
    n_warning     count  warnings accepted in it
    withdrawn_at  text   when it was withdrawn; NULL: it is ranked
    withdrawn     text   why
order:       Conditions by name, then runs.
see also:    conditions, run_facts
*/
select
    run_id, condition_id, task, system, format, n_row,
    (
        select count(*) from registry.problem where problem.owner = 'run:' || condition_id || '/' || run_id
    ) as n_warning,
    withdrawn_at, reason as withdrawn
from registry.run
join registry.condition using (condition_no)
left join registry.withdrawal using (run_no)
where $conditions is null or list_contains($conditions, condition_id)
order by condition_id, run_id
