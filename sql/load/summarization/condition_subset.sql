/*
what:   Subsets of a condition: all updates, and those until each time tau, in seconds from the start of the event.
*/
insert into base.subset (condition_no, subset_no, subset, kind)
select $condition, 0, 'all', 'all'
union all
select $condition, number, 'tau=' || tau, 'tau'
from (select unnest($taus) as tau, generate_subscripts($taus, 1) as number)
