/*
what: Which item is in which cluster of a run
*/
insert into base.partition_answer select $run, * from partition_member
