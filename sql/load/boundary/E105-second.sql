/*
what:   a second BOUNDSET, the first is on {first_line}
advice: Give every source file its own boundary table.
*/
select tag.file, tag.line, tag.at_column, null as value, head.line as first_line
from tag
join read_boundary_set as head using (file)
where tag.element = 'boundset' and not tag.is_closing and (tag.line, tag.at_column) <> (head.line, head.at_column)
