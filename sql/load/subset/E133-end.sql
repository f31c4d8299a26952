/*
what:   the set is not closed, expected </set>
advice: Add </set>.
*/
select file, line, 1 as at_column, f[2] as value
from tag
where element = 'set'
qualify not is_closing and lead(place) over (partition by file order by place) is null
