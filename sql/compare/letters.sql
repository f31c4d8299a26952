/*
title:    Letters of runs, best first: two share one exactly if they are not different; the first run has a
source:   H.-P. Piepho, An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons (2004)
*/
with recursive

different as (
    select place, list(other_place) as others, row_number() over (order by place) as step
    from (
        select
            list_position($runs, unnest(cast($one as varchar[]))) as place,
            list_position($runs, unnest(cast($other as varchar[]))) as other_place
    )
    group by place
),

-- a run splits the sets that have it and others that differ from it; sets within others are redundant
split as (
    select cast(0 as bigint) as step, [range(1, len($runs) + 1)] as sets
    union all
    select
        step, list_filter(halves, lambda one: len(list_filter(halves, lambda two: list_has_all(two, one))) = 1) as sets
    from (
        select
            different.step,
            list_distinct(flatten(list_transform(sets, lambda one: case
                when list_contains(one, place) and list_has_any(one, others) then [
                    list_filter(one, lambda x: x <> place), list_filter(one, lambda x: not list_contains(others, x))
                ]
                else [one]
            end))) as halves
        from split join different on different.step = split.step + 1
    ) as halved
),

letter as (
    select members, row_number() over (order by members) - 1 as number
    from (
        select unnest(sets) as members
        from split
        qualify step = max(step) over ()
    )
)

select
    $runs[place] as run,
    string_agg(
        chr(cast(97 + number % 26 as integer)) || case when number >= 26 then cast(number // 26 as varchar) else '' end,
        '' order by number
    ) as letters
from (select unnest(members) as place, number from letter)
group by place
