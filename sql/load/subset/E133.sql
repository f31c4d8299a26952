/*
what:   </set> without an open set
advice: Remove it, or add the <set ...> it closes.
*/
select file, line, at_column, null as value
from (
    select *, lag(is_closing) over (partition by file order by place) as was_closing
    from tag
    where element = 'set'
)
where is_closing and coalesce(was_closing, true)
