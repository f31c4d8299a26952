/*
what:   source file is already in the set of {set_line}
advice: It counts once.
field:  filename
*/
select file, line, at_column, source_file as value, set_line
from read_source_set_file
where source_file <> '' and set_place is not null and not is_member
