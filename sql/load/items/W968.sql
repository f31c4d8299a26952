/*
what:   item '{value}' is the {which} of the others, and is left out
advice: Remove the row, or rename the item if it is one.
*/
with

total as (
    select item_id
    from items_row
    where regexp_full_match(
        lower(item_id),
        'all|a?mean|average|avg|overall|total|median|sum|(macro|micro|weighted)([ _-]?(avg|average))?')
    group by item_id
),

score_of_item as (
    select run_id, measure, item_id, avg(score) as score
    from items_row
    where item_id not in (select item_id from total)
        and (select count(*) from total) > 0 -- else all samples are counted for nothing
    group by run_id, measure, item_id
),

-- an item may have several samples
other as (
    select own.run_id, own.measure, avg(own.score) as mean_of_samples, median(own.score) as median,
        sum(own.score) as sum,
        any_value(mean) as mean
    from items_row as own
    join (
        select run_id, measure, avg(score) as mean from score_of_item group by run_id, measure having count(*) > 1
    ) as of_run on of_run.run_id is not distinct from own.run_id and of_run.measure = own.measure
    where item_id not in (select item_id from total)
    group by all
),

compared as (
    select file, line, item_id, score, mean as expected,
        list_filter(
            [
                {'which': 'mean', 'value': mean}, {'which': 'mean', 'value': mean_of_samples},
                {'which': 'median', 'value': median}, {'which': 'sum', 'value': sum}
            ],
            lambda one: (
                one.which = 'mean' or lower(item_id) = one.which
                or one.which = 'sum' and lower(item_id) in ('all', 'total', 'overall'))
                and abs(score - one.value) <= greatest(
                    0.001 * abs(one.value), 0.00001,
                    -- a number is often rounded to two or three digits
                    case score when round(score, 2) then 0.0050001 when round(score, 3) then 0.00050001 else 0 end)
        )[1].which as which
    from items_row
    semi join total using (item_id)
    left join other on other.run_id is not distinct from items_row.run_id and other.measure = items_row.measure
)

select min(file) as file, arg_min(line, (file, line)) as line, item_id as value, min(which) as which
from compared
group by item_id
having count(which) > 0 and bool_and(which is not null or score is null or expected is null)
