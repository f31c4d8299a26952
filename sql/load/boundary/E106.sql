/*
what:   {name} without {absent}, expected both or neither
advice: Add the other attribute, or remove this one.
*/
select file, line, if(first <> '', column_1, column_2) as at_column, if(first <> '', first, second) as value,
    if(first <> '', 'B', 'E') || unit as name, if(first <> '', 'E', 'B') || unit as absent
from (
    select file, line, unnest(['sec', 'recid']) as unit, unnest([f[3], f[5]]) as first, unnest([f[4], f[6]]) as second,
        unnest([c[4], c[6]]) as column_1, unnest([c[5], c[7]]) as column_2
    from tag
    where element = 'boundary' and not is_closing and f[1] <> '' and f[2] <> ''
)
where (first = '') <> (second = '')
order by unit desc
