/*
title:    A run has a trial or an update in common with what it is scored on
severity: error
inputs:   base.decision, base.known_update, base.run_update, registry.condition, registry.run
*/
with

disjoint as (
    select run_no
    from base.decision
    group by run_no
    having count(*) filter (trial_no > 0) = 0
    union all
    select run_no
    from base.run_update
    join registry.run using (run_no)
    semi join (select condition_no from base.known_update where update_no > 0) as known using (condition_no)
    group by run_no
    having count(*) filter (update_no > 0) = 0
)

select condition_id, run_id, n_row
from registry.run
join registry.condition using (condition_no)
semi join disjoint using (run_no)
order by all
