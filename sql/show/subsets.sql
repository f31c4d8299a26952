/*
title:  Subsets of the trials of a condition with their segments, all first; of two attributes their intersections too;
        the numbers that runs have in each, and which end of them is best
*/
with

cell as (
    select
        subset, split_part(subset, '=', 1) as attribute, substr(subset, strpos(subset, '=') + 1) as value,
        kind = 'product' as is_product, list(segment_no order by segment_no) as segments
    from base.subset
    join base.subset_cell using (condition_no, subset_no)
    where condition_no = $condition
        and subset <> 'all'
        and (len($names) = 0 or list_contains($names, attribute))
    group by subset, kind
),

-- line and head: row and column of a subset in a table of two attributes
placed as (
    select 'all' as subset, 'all' as line, 'all' as head, cast(null as bigint[]) as segments
    union all
    select
        subset, case when attribute = $names[1] then value else 'all' end,
        case when attribute = $names[2] then value else 'all' end, segments
    from cell
    where not is_product
        or len($names) < 2
    union all
    select
        one.subset || ',' || other.subset, one.value, other.value,
        list_sort(list_intersect(one.segments, other.segments))
    from cell as one
    join cell as other on one.attribute = $names[1] and other.attribute = $names[2]
    where not one.is_product
        and not other.is_product
),

stored as (
    select subset, map(list(run_id order by run_id), list(value order by run_id)) as numbers
    from report.score
    where condition_id = (select condition_id from registry.condition where condition_no = $condition)
        and profile_id = $profile
        and metric = $metric
        and weighting = 'story'
    group by subset
)

select
    subset, line, head, segments, coalesce(numbers, map()) as numbers,
    (select min(best) from registry.metric where metric = $metric) as best
from placed
left join stored using (subset)
order by subset <> 'all', subset
