/*
what:   the run puts no item in a cluster
advice: Every item of the gold is missing.
*/
select 0 as file, 1 as line, run_id as run, null as value
from partition_tally
join new_run using (run_no)
where n_answer = 0
order by run_no
