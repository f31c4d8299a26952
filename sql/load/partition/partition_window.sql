/*
what: The windows of days of a stored condition.
*/
select block_id, first_day, last_day from base.partition_window where condition_no = $condition
