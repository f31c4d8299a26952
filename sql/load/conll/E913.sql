/*
what:   mention {cluster} is not closed before the document ends
advice: Close it with {cluster}).
*/
select file, line, part_column as at_column, '(' || cluster as value, cluster
from conll_bracket
where is_open and last_place is null
order by file, line, number
