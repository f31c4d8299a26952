/*
title:    A condition has its baseline among its runs
severity: warning
inputs:   registry.condition, registry.run
checked:  after every load
edges:    No finding before the first run.
*/
select condition_id, baseline
from registry.condition
join registry.run using (condition_no)
where baseline <> ''
group by all
having count(case when run_id = baseline then 1 end) = 0
order by all
