/*
what:   Sets of source files; next_place is that of the tag that ends it.
*/
select file, line, place, at_column, f[1] as title, f[2] as heading,
    coalesce(lead(place) over (partition by file order by place), 9223372036854775807) as next_place
from tag
where element = 'set'
qualify not is_closing
