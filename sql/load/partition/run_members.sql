/*
what: Which item is in which cluster of runs
*/
insert into base.partition_answer from partition_member
