/*
what:   {none} among {known}, of which one is {example!r}
advice: Write the ids as the condition does, or name the condition of this run.
*/
-- runs without an event of the condition, or without an update that was judged
with own as (
    select run_no, count(*) as n, count(block_no) > 0 as has_event, arg_min(event_id, place) as event_id,
        arg_min(update_id, place) as update_id, arg_min(file, place) as file, arg_min(line, place) as line
    from run_row
    group by run_no
    having count(update_no) = 0
),

example as (
    select true as has_event, 'the updates that were judged' as known, min(update_id) as example
    from base.known_update
    where condition_no = $condition and update_no > 0
    union all
    select false, 'the events of the condition', min(event_id) from base.event where condition_no = $condition
)

select file, line, if(has_event, update_id, event_id) as value, known, example,
    if(n = 1, 'the only one of the updates of the run is not', format('none of the {:,} updates of the run is', n))
        as none
from own
join example using (has_event)
where not has_event or example is not null
order by run_no
