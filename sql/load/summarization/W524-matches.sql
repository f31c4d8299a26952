/*
what:   event {event} has no match row: the {program} program stops here; it is scored as zeros
advice: Is the file of matches complete?
*/
select 0 as file, null as line, null as value, event, $program as program
from ts_event
where $program in ('ts2013', 'ts2014') and n_match = 0
order by block_no
