/*
what:   item '{value}' is the mean of the others, and is left out
advice: Remove the row, or rename the item if it is one.
*/
with

total as (
    select item_id
    from items_row
    where lower(item_id) in ('all', 'amean', 'mean', 'average', 'avg', 'overall', 'total', 'macro', 'micro')
    group by item_id
),

mean as (
    select run_id, measure, avg(score) as mean
    from items_row
    where item_id not in (select item_id from total)
        and (select count(*) from total) > 0 -- else all samples are counted for nothing
    group by run_id, measure
    having count(distinct item_id) > 1
)

select min(file) as file, arg_min(line, (file, line)) as line, item_id as value
from items_row
semi join total using (item_id)
left join mean on mean.run_id is not distinct from items_row.run_id and mean.measure = items_row.measure
group by item_id
having bool_and(coalesce(abs(score - mean) <= 0.001 * greatest(abs(mean), 0.01), false))
