/*
what:   The true values of events that a condition does not leave out, with the numbers of their blocks, which are the
        attributes of events that have one, in the order of the events and of the attributes.
*/
with value as (
    select event.file, event.line, event.event_id, event.start, event."end", attribute, time, number, latitude,
        longitude, list_position($attributes, attribute) as position, true_value.rowid as row_no
    from read_events as event
    join read_true_values as true_value using (file, line)
    where not list_contains($excluded, event.event_id)
)

select dense_rank() over (order by file, line, position) as block_no,
    dense_rank() over (order by position) as subset_no,
    regexp_replace(event_id, '^TS[0-9]+\.', '') || '/' || attribute as block_id, event_id, attribute,
    start as start_time, "end" as end_time,
    row_number() over (partition by file, line, position order by time, row_no) as true_no, time as true_time, number,
    latitude, longitude
from value
