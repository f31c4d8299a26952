/*
what:   event {event} has no nugget of importance above 0: the {program} program stops here; it is scored as zeros
advice: Is the file of nuggets complete?
*/
select 0 as file, null as line, null as value, event, $program as program
from ts_event
where $program in ('ts2014', 'ts2015') and n_gain = 0
order by block_no
