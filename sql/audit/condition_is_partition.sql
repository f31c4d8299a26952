/*
title:    Where a condition is called a partition, no story is labelled for two topics
severity: error
inputs:   derived.condition_is_partition, registry.condition
*/
select condition_id
from registry.condition as stored
join derived.condition_is_partition as made using (condition_no)
where stored.is_partition = 1 and made.is_partition = 0
