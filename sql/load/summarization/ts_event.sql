/*
what:   The events with their titles and times, which are of the topics file: by id, or else without a year's prefix.
*/
select block.*, other.title, other.kind, other.start_time, other.end_time, other.event is not null as has_topic,
    (select count(*) from ts_pool where ts_pool.block_no = block.block_no) as n_pool,
    (select count(*) from ts_match where ts_match.block_no = block.block_no) as n_match
from ts_block as block
left join (
    select block.block_no, coalesce(own.event_id, alike.event_id) as event,
        if(own.event_id is null, alike.title, own.title) as title,
        if(own.event_id is null, alike.kind, own.kind) as kind,
        if(own.event_id is null, alike.start, own.start) as start_time,
        if(own.event_id is null, alike."end", own."end") as end_time
    from ts_block as block
    left join read_events as own on own.event_id = block.event
    left join (
        select *, regexp_replace(event_id, '^TS[0-9]+\.', '') as bare
        from read_events
        qualify row_number() over (partition by bare order by file desc, line desc) = 1) as alike
        on alike.bare = regexp_replace(block.event, '^TS[0-9]+\.', '')) as other using (block_no)
