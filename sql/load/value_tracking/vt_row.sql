/*
what:   Submitted values with the blocks of a condition, and what is known of their events; ids match without the prefix
        of a year.
*/
create or replace temp table vt_row as
with attribute as (
    select regexp_replace(event_id, '^TS[0-9]+\.', '') as bare, block_no, attribute, start_time, end_time
    from base.attribute
    where condition_no = $condition
),

span as (
    select bare, min(start_time) as start_time, min(end_time) as end_time from attribute group by bare
),

left_out as (
    select regexp_replace(topic_id, '^TS[0-9]+\.', '') as bare
    from registry.excluded_topic
    where condition_no = $condition
)

select row_number() over (order by said.file, line) as place,
    said.* exclude (invalid, infinite, part, line_text, cells),
    run_no, known.block_no, span.bare is not null as is_event, span.start_time, span.end_time,
    said.bare in (select bare from left_out) as is_left_out
from (select *, regexp_replace(event_id, '^TS[0-9]+\.', '') as bare from read_values) as said
join new_run using (run_id)
left join span on span.bare = said.bare
left join attribute as known on known.bare = said.bare and known.attribute = said.attribute
