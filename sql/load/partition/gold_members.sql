/*
what: Which item is in which gold cluster
*/
insert into base.partition_gold select $condition, item_no, cluster_no, nth from partition_member
