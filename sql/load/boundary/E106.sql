/*
what:   {name} without {absent}, expected both or neither
advice: Add the other attribute, or remove this one.
field:  {name}
*/
select file, line, at_column, if(first <> '', first, second) as value,
    if(first <> '', 'B', 'E') || unit as name, if(first <> '', 'E', 'B') || unit as absent
from (
    select *, unnest(['sec', 'recid']) as unit, unnest([f[3], f[5]]) as first, unnest([f[4], f[6]]) as second
    from tag
    where element = 'boundary' and not is_closing and f[1] <> '' and f[2] <> ''
)
where (first = '') <> (second = '')
order by unit desc
