/*
what:   mention {cluster} is closed and was not opened
advice: Open it with ({cluster}, or remove it.
*/
select file, line, part_column as at_column, whole as value, cluster
from conll_bracket
where is_unopened
order by file, line, number
