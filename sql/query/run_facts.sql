/*
title:       What is known of a run
question:    What does the metadata of a run say, and is it ranked?
about:       trust
inputs:      registry.run, registry.condition, registry.run_fact, registry.withdrawal
parameters:
    run        run        needed  the run
    condition  condition  none    one condition; none: all
grain:       condition_id, fact_no
columns:
    condition_id  key   evaluation condition
    fact_no       key   number in this order
    name          text  name of the fact
    value         text  as given
order:       Conditions by name; what the store knows, then its metadata in the order of the file.
show:        table hide=fact_no
pages:       run 5
see also:    files_of_run
*/
with

fact as (
    select condition_no, -3 as fact_no, 'system' as name, system as value from registry.run where run_id = $run
    union all
    select condition_no, -2, 'rows', cast(n_row as varchar) from registry.run where run_id = $run
    union all
    select condition_no, -1, 'withdrawn', reason
    from registry.withdrawal
    join registry.run using (run_no)
    where run_id = $run
    union all
    select condition_no, fact_no, name, value
    from registry.run_fact
    join registry.run using (run_no)
    where run_id = $run
)

select condition_id, fact_no, name, value
from fact
join registry.condition using (condition_no)
where value is not null
    and condition_id = coalesce($condition, condition_id)
order by condition_id, fact_no
