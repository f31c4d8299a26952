/*
title:    Where a run is called a partition, it puts no story in two topics
severity: error
inputs:   derived.run_is_partition, registry.run
*/
select run_id
from registry.run as stored
join derived.run_is_partition as made using (run_no)
where stored.is_partition = 1 and made.is_partition = 0
