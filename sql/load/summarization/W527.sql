/*
what:   no events file gives the start of the events, from which tau counts seconds; time-sensitive numbers are missing
advice: Name the topics file as events.
*/
select 0 as file, null as line, null as value
where len($taus) > 0 and not exists (select 1 from read_events)
