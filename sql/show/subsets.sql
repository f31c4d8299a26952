/*
title:  Subsets of the trials of a condition with their segments, all first; of two attributes their intersections too
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
)

select subset, line, head, segments
from placed
order by subset <> 'all', subset
