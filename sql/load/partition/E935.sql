/*
what:   the rows name blocks, and the blocks of the condition are windows of days
advice: Leave out the column of blocks, or window and step.
*/
select 0 as file, null as line, null as value
where $has_blocks
