/*
what: The blocks of a stored condition, and those that it leaves out, without a number.
*/
select block_id, block_no from base.block where condition_no = $condition
union all
select topic_id, null from registry.excluded_topic where condition_no = $condition
