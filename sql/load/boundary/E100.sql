/*
what:   no BOUNDSET element, expected a boundary table that begins with <BOUNDSET fileid=...>
advice: Name the boundary table of the source file.
*/
select file, 1 as line, 1 as at_column, null as value
from (select unnest($readable) as file)
anti join read_boundary_set using (file)
