/*
title:  Runs with a hierarchy that were not loaded, of conditions that were
*/
select run_no, 'run:' || condition_id || '/' || run_id as owner
from registry.run
join registry.condition using (condition_no)
semi join base.vertex using (run_no)
where list_contains($loaded, 'condition:' || condition_id)
    and not list_contains($loaded, 'run:' || condition_id || '/' || run_id)
order by run_no
