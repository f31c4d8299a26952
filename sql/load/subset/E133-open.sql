/*
what:   the set of {open_line} is still open, expected </set> before the next
advice: Add </set>.
*/
select file, line, at_column, open_heading as value, open_line
from (
    select *, lag(is_closing) over listed as was_closing, lag(line) over listed as open_line,
        lag(f[2]) over listed as open_heading
    from tag
    where element = 'set'
    window listed as (partition by file order by place)
)
where not is_closing and not was_closing
