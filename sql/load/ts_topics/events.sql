/*
what: The events of a topics file (topic_event) with their times, and whether each counts: of those with one id the
      first that begins before it ends.
*/
with event as (
    select event_no, event_id, title, kind, start_text, end_text, as_integer(start_text) as start,
        as_integer(end_text) as "end"
    from topic_event
)

select *,
    min(event_no) filter ("end" > start) over (partition by event_id) as first_no,
    event_id <> '' and event_no <= coalesce(first_no, event_no) as is_new
from event
