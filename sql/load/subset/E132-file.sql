/*
what:   source_file has no filename, expected filename="NAME"
advice: Add the attribute.
*/
select file, line, at_column, null as value
from read_source_set_file
where source_file = ''
