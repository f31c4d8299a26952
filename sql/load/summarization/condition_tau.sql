/*
what:   The times tau of a condition, in seconds.
*/
insert into base.condition_tau (condition_no, subset_no, tau_seconds)
select $condition, generate_subscripts($taus, 1), unnest($taus)
