/*
what:   {message}
advice: {advice}
*/
with

said as (
    select
        unnest(['window', 'step']) as key,
        unnest([cast($window as varchar), cast($step as varchar)]) as value
),

length as (
    select key, value, cast(regexp_extract(value, '^([1-9][0-9]{0,3}) days?$', 1) as integer) as n_day
    from said
    where regexp_full_match(value, '[1-9][0-9]{0,3} days?')
)

(
    select
        0 as file, cast(null as bigint) as line, value,
        key || ' is not a number of days' as message,
        'Write ' || key || ' = "7 days".' as advice
    from said
    where key not in (select key from length)
    qualify row_number() over (order by key desc) = 1
)
union all
select
    0 as file, null as line, step.value,
    'a step of ' || step.n_day || ' days is longer than a window of ' || own.n_day
        || ': items between would be in none' as message,
    'Make it shorter, or the window longer.' as advice
from length as step
join length as own on own.key = 'window' and step.key = 'step' and step.n_day > own.n_day
