/*
what:   The events of run files, with their blocks in the condition: as the program of the condition names them, and
        under strict rules literally, or else without the prefix, where only one event is called so.
*/
create or replace temp table run_place as
with known as (
    select block_no, event_id, regexp_replace(event_id, '^TS[0-9]+\.', '') as bare
    from base.event
    where condition_no = $condition
),

said as (
    select event_id, regexp_replace(event_id, '^TS[0-9]+\.', '') as bare,
        case when regexp_full_match(event_id, '[+-]?[0-9]{1,18}')
            then 'TS14.' || cast(event_id as bigint) end as of_2014
    from (select distinct event_id from read_summarization)
),

alike as (
    select bare, min(block_no) as block_no
    from known
    group by bare
    having count(*) = 1 or $program = 'ts2015'
)

select said.event_id,
    case when $program = 'ts2015' then alike.block_no
        when $program = 'ts2014' then coalesce(of_2014.block_no, own.block_no)
        when $program is null then coalesce(own.block_no, alike.block_no)
        else own.block_no end as block_no
from said
left join known as own on own.event_id = said.event_id
left join known as of_2014 on of_2014.event_id = said.of_2014
left join alike on alike.bare = said.bare
