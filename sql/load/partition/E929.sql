/*
what:   {sides}
advice: Give both a column block_id, or none.
*/
select
    0 as file, null as line, shown as run,
    if($has_blocks, extra[1], lonely[1]) as value,
    if(
        $has_blocks,
        'the run names blocks and the gold does not',
        'the gold names blocks and the run does not'
    ) as sides
from partition_tally
where has_other_blocks
order by run_no
