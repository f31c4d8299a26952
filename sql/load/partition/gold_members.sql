/*
what: Which item is in which gold cluster
*/
insert into base.partition_gold select $condition, * from partition_member
