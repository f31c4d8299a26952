/*
what:   item '{value}' is the {which} of the others, and is left out
advice: Remove the row, or rename the item if it is one.
*/
with

total as (
    select item_id
    from items_row
    where lower(item_id) in (
        'all', 'amean', 'mean', 'average', 'avg', 'overall', 'total', 'macro', 'micro', 'median', 'sum')
    group by item_id
),

other as (
    select
        run_id, measure,
        {'mean': avg(score), 'median': median(score), 'sum': sum(score)} as whole
    from items_row
    where item_id not in (select item_id from total)
        and (select count(*) from total) > 0 -- else all samples are counted for nothing
    group by run_id, measure
    having count(distinct item_id) > 1
),

compared as (
    select file, line, item_id, unnest(['mean', 'median', 'sum']) as which, score,
        unnest([whole.mean, whole.median, whole.sum]) as expected
    from items_row
    semi join total using (item_id)
    left join other on other.run_id is not distinct from items_row.run_id and other.measure = items_row.measure
)

select arg_min(file, which) as file, arg_min(line, which) as line, item_id as value, min(which) as which
from (
    select min(file) as file, arg_min(line, (file, line)) as line, item_id, which
    from compared
    where which = 'mean' or lower(item_id) = which or which = 'sum' and lower(item_id) in ('total', 'overall')
    group by item_id, which
    having bool_and(coalesce(abs(score - expected) <= 0.001 * greatest(abs(expected), 0.01), false))
)
group by item_id
