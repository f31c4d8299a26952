/*
what:   a second BOUNDSET, the first is on {first_line}
advice: Give every source file its own boundary table.
*/
select tag.file, tag.line, tag.c[1] as at_column, null as value, head.line as first_line
from tag
join read_boundary_set as head using (file)
where tag.element = 'boundset' and not tag.is_closing and (tag.line, tag.c[1]) <> (head.line, head.c[1])
