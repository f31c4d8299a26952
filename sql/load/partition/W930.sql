/*
what:   the run puts no item in a cluster
advice: Every item of the gold is missing.
*/
select 0 as file, 1 as line, null as value
from partition_tally
where n_answer = 0
