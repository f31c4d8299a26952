/*
what:   source_file outside a set
advice: Put it between <set ...> and </set>.
*/
select file, line, at_column, source_file as value
from read_source_set_file
where source_file <> '' and set_place is null
