/*
title:  What the metadata of runs say
*/
select condition_id, name, value, path
from registry.run_fact
join registry.run using (run_no)
join registry.condition using (condition_no)
where list_contains($runs, run_no)
order by condition_id, fact_no
