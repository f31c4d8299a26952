/*
title: How each metric moved over the stored runs, from the rows of temp.moved; ranks are compared by the means of runs
*/
with

mean as (
    select
        metric, weighting, run_id, condition_id,
        favg(before order by before) as before, favg(after order by after) as after
    from temp.moved
    where before is not null and after is not null
    group by all
),

ranked as (
    select
        metric, weighting,
        list(before order by run_id, condition_id) as before, list(after order by run_id, condition_id) as after
    from mean
    group by all
)

select
    metric, weighting, count(*) as n_value,
    count(*) filter (moved.before is distinct from moved.after) as n_changed,
    max(abs(moved.after - moved.before)) filter (moved.before <> moved.after) as largest_change,
    coalesce(
        max_by(run_id, struct_pack(by := abs(moved.after - moved.before), run := run_id)) filter (
            moved.before <> moved.after
        ), ''
    ) as of_run,
    any_value(ranked.before) as before, any_value(ranked.after) as after
from temp.moved
left join ranked using (metric, weighting)
group by metric, weighting
order by metric, weighting
