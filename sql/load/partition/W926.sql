/*
what:   {sides}
advice: Items of a block without an answer are missing, those of a block without gold are spurious.
*/
select
    0 as file, null as line, shown as run, null as value,
    concat_ws(
        '; ',
        printf('%d %s of the gold not in the run, first ', len(lonely), if(len(lonely) = 1, 'block', 'blocks'))
        || lonely[1],
        printf('%d %s of the run not in the gold, first ', len(extra), if(len(extra) = 1, 'block', 'blocks'))
        || extra[1]
    ) as sides
from partition_tally
where
    (lonely is not null or extra is not null)
    and not has_other_blocks
    and not is_disjoint
order by run_no
