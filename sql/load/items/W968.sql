/*
what:   item '{value}' is the {which} of the others, and is left out
advice: Remove the row, or rename the item if it is one.
*/
with

-- what the file of items lists is an item
named as (
    select distinct item_id, lower(item_id) as name
    from items_row
    where item_id not in (
        select block_id
        from base.item join base.block using (condition_no, block_no)
        where condition_no = $condition and is_listed = 1)
),

total as (
    select
        *,
        regexp_full_match(
            name, 'all|a?mean|average|avg|overall|total|median|sum|(macro|micro|weighted)([ _-]?(avg|average))?'
        ) as is_mean
    from named
    where is_mean or regexp_full_match(name, 'std(ev|dev)?|sd|min(imum)?|max(imum)?|count|n|(25|50|75) ?%')
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
        sum(own.score) as sum, min(own.score) as least, max(own.score) as greatest, count(own.score) as n,
        stddev_samp(own.score) as sd, stddev_pop(own.score) as sd_of_all, quantile_cont(own.score, 0.25) as low,
        quantile_cont(own.score, 0.75) as high,
        any_value(mean) as mean
    from items_row as own
    join (
        select run_id, measure, avg(score) as mean from score_of_item group by run_id, measure having count(*) > 1
    ) as of_run on of_run.run_id is not distinct from own.run_id and of_run.measure = own.measure
    where item_id not in (select item_id from total)
    group by all
),

of_epoch as (
    select run_id, measure, epoch, avg(score) as mean_of_epoch
    from items_row
    where item_id not in (select item_id from total)
        and (select count(*) from total) > 0
    group by run_id, measure, epoch
    having count(score) > 1
),

-- where an item is called like another statistic
of_items as (
    select run_id, measure, avg(score) as mean_of_items
    from (
        select run_id, measure, item_id, avg(score) as score
        from items_row
        where item_id not in (select item_id from total where is_mean)
            and (select count(*) from total where not is_mean) > 0
        group by run_id, measure, item_id)
    group by run_id, measure
),

compared as (
    select file, line, item_id, items_row.run_id, is_mean, score, mean as expected,
        list_filter(
            [
                {'which': 'mean', 'value': mean, 'names': null},
                {'which': 'mean', 'value': mean_of_samples, 'names': null},
                {'which': 'mean', 'value': mean_of_epoch, 'names': null},
                {'which': 'mean', 'value': mean_of_items, 'names': null},
                {'which': 'median', 'value': median, 'names': 'median|50 ?%'},
                {'which': 'sum', 'value': sum, 'names': 'sum|all|total|overall'},
                {'which': 'standard deviation', 'value': sd, 'names': 'std(ev|dev)?|sd'},
                {'which': 'standard deviation', 'value': sd_of_all, 'names': 'std(ev|dev)?|sd'},
                {'which': 'minimum', 'value': least, 'names': 'min(imum)?'},
                {'which': 'maximum', 'value': greatest, 'names': 'max(imum)?'},
                {'which': 'number', 'value': n, 'names': 'count|n'},
                {'which': 'lower quartile', 'value': low, 'names': '25 ?%'},
                {'which': 'upper quartile', 'value': high, 'names': '75 ?%'}
            ],
            lambda one: (
                if(one.names is null, is_mean, regexp_full_match(name, one.names))
                and abs(score - one.value) <= greatest(
                    0.001 * abs(one.value), 0.00001,
                    -- a number is often rounded to two or three digits
                    case score when round(score, 2) then 0.0050001 when round(score, 3) then 0.00050001 else 0 end))
        )[1].which as which
    from items_row
    join total using (item_id)
    left join other on other.run_id is not distinct from items_row.run_id and other.measure = items_row.measure
    left join of_items on of_items.run_id is not distinct from items_row.run_id and of_items.measure = items_row.measure
    left join of_epoch on of_epoch.run_id is not distinct from items_row.run_id
        and of_epoch.measure = items_row.measure and of_epoch.epoch is not distinct from items_row.epoch
),

-- in every row
left_out as (
    select
        item_id, min(file) as file, arg_min(line, (file, line)) as line, min(which) as which,
        bool_or(is_mean) as is_mean, list(distinct coalesce(run_id, '')) as runs
    from compared
    group by item_id
    having count(which) > 0 and bool_and(which is not null or score is null or expected is null)
)

-- other statistics (std, min, 25%) where their run also has such a mean
select file, line, item_id as value, which
from left_out
where is_mean or exists (from left_out as mean where mean.is_mean and list_has_any(mean.runs, left_out.runs))
