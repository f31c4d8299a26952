/*
what: The values of attributes in a topics file (topic_value) of its events that count: a number, or a location.
*/
with said as (
    select value.* exclude (time), as_integer(time) as time,
        if(attribute = 'locations', latitude, coalesce(nullif(count, ''), nullif(amount, ''), value)) as number_text
    from topic_value as value
    join (select event_no from read_topic_event where is_new and ("end" > start) is distinct from false)
        using (event_no)
),

number as (
    select event_no, value_no, event_id, attribute, said, time,
        case when abs(as_finite(number_text)) <= 1e18 then as_finite(number_text) end as number,
        case when attribute = 'locations' and abs(as_finite(longitude)) <= 1e18 then as_finite(longitude) end
            as longitude
    from said
)

select *, time is not null and number is not null and (longitude is not null or attribute <> 'locations') as is_read,
    is_read and (abs(number) > 90 or abs(longitude) > 180) and attribute = 'locations' as is_off
from number
where list_contains(['deaths', 'injuries', 'displaced', 'financialimpact', 'locations'], attribute)
