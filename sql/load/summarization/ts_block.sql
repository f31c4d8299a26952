/*
what:   The events of the nuggets, with numbers in the order of their first rows: the blocks of a condition.
*/
select row_number() over (order by min(row_no)) as block_no, key, arg_min(event_id, row_no) as event,
    count(*) filter (importance > 0) as n_gain
from (
    select row_number() over (order by file, line) as row_no,
        if($program = 'ts2015', regexp_replace(event_id, '^TS[0-9]+\.', ''), event_id) as key, event_id, importance
    from read_nuggets)
group by key
