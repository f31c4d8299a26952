/*
what: Windows of days of a condition, in their order: the first begins with the first day of an item, each next one
      $step later, and the last is the first that has the last day. A window of one day is called by it.
*/
with

length as (
    select
        cast(split_part($window, ' ', 1) as integer) as n_day,
        cast(split_part($step, ' ', 1) as integer) as n_step,
        cast(min(day) as date) as first_day,
        cast(max(day) as date) - cast(min(day) as date) + 1 as n_all
    from partition_story
    semi join partition_row using (item_id)
    where day <> ''
    having $window is not null and count(*) > 0
),

span as (
    select
        n_day,
        first_day + cast(number * n_step as integer) as begin_day,
        least(first_day + cast(number * n_step as integer) + n_day - 1, cast('9999-12-31' as date)) as end_day
    from length, range(1 + greatest(0, (n_all - n_day + n_step - 1) // n_step)) as step(number)
)

select
    case when n_day = 1 then cast(begin_day as varchar) else begin_day || '..' || end_day end as block_id,
    cast(begin_day as varchar) as first_day,
    cast(end_day as varchar) as last_day
from span
order by first_day
