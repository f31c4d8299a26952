/*
what:   Blocks of a condition: its events, scored but those that it leaves out.
*/
insert into base.block (condition_no, block_no, block_id, is_scored)
select $condition, block_no, event, not list_contains($excluded, event)
from ts_block
order by block_no
