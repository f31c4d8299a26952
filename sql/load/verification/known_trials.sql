/*
what: Leaves out scores of trials that the key does not have; unless all are: then it is another key.
*/
delete from scored where trial_no is null and exists (from scored where trial_no is not null)
