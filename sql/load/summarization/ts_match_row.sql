/*
what:   Matches with their numbers in the order of the file, and the blocks of their events; those of 2015 without
        prefix.
*/
select row.*, block_no
from (
    select row_number() over (order by file, line) as row_no,
        if($program = 'ts2015', regexp_replace(event_id, '^TS[0-9]+\.', ''), event_id) as key, *
    from read_matches) as row
left join ts_block on ts_block.key = row.key
