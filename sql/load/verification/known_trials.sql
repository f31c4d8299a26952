/*
what: Leaves out scores of trials that the key does not have; unless all of a run are: then it is another key.
*/
delete from scored where trial_no is null and run_no in (select run_no from scored where trial_no is not null)
