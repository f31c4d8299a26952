/*
what:   run {run} decides on {n} {updates} {when} its event {limit}; first {value} at {time}, event
        {event} lasts from {first} to {last}
advice: The update counts as it is, with the latency of its time. Check the decision times (seconds since 1970).
*/
-- the programs of every year and the metrics document count updates outside the span of their event, and an early one
-- can have up to twice its gain
select arg_min(file, place) as file, arg_min(line, place) as line, arg_min(update_id, place) as value, run_id as run,
    count(*) as n, if(n = 1, 'update', 'updates') as updates, if(is_late, 'after', 'before') as "when",
    if(is_late, 'ends', 'starts') as "limit", arg_min(time, place) as "time", arg_min(event_id, place) as event,
    arg_min(start_time, place) as "first", arg_min(end_time, place) as "last"
from (
    select run_row.*, start_time, end_time, time > end_time as is_late
    from run_row
    join (select block_no, start_time, end_time from base.event where condition_no = $condition) using (block_no)
    where time not between start_time and end_time)
group by run_id, is_late
