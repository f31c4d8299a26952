/*
what:   {said}{many}
advice: {advised}
*/
-- E578, W578 or W579; an event that the condition leaves out does not count
select file, min(line) as line,
    case code when 'E578' then any_value(event_id) when 'W579' then cast(arg_min(time, place) as varchar) end as value,
    said, if(count(*) = 1, '', '; ' || count(*) || ' such rows') as many,
    case code when 'E578' then 'Fix the event id, or drop the rows.' when 'W578' then 'It is not scored.'
        else 'Check the times (seconds since 1970).' end as advised,
    code
from (
    select *,
        case when not is_event then 'event ' || event_id || ' is not in the topics file'
            when block_no is null then 'event ' || event_id || ' has no true value of ' || attribute || '; left out'
            when time < start_time then 'submitted before the event starts; carried in'
            when time >= end_time then 'submitted at or behind the end of the event; without effect' end as said,
        case when not is_event then 'E578' when block_no is null then 'W578' else 'W579' end as code
    from vt_row
    where not is_left_out)
where said is not null
group by file, run_id, code, said
