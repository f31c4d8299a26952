/*
what:   event {event} has no match row{stops}; it is scored as zeros
advice: Is the file of matches complete?
*/
select 0 as file, null as line, null as value, event,
    if($program in ('ts2013', 'ts2014'), ': the ' || $program || ' program stops here', '') as stops
from ts_event
where n_match = 0 and ($program in ('ts2013', 'ts2014') or not exists (select 1 from ts_match_row))
order by block_no
