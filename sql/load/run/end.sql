/*
what: What a load needs to know of runs is dropped.
*/
drop view known_run;

drop table stored_run;

drop view if exists named_row;

drop table unnamed_row;

drop table if exists replaced_run;

drop table load_run
