/*
title:  The rows of curves that are drawn, subsets and runs as they are named; each of several subsets a series
*/
select
    point.* exclude (series), point.series as run_id,
    case
        when len($subsets) = 1 then point.series
        when len($runs) = 1 then subset
        else point.series || ', ' || subset
    end as series
from (select *, row_number() over () as row_no from curve) as point
where list_contains($marks, mark)
    and list_contains($subsets, subset)
    and list_contains($runs, point.series)
order by list_position($subsets, subset), list_position($runs, point.series), row_no
