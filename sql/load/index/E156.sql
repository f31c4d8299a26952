/*
what:   source file has no extension, expected directory/NAME.EXTENSION such as tkn/NAME.tkn
advice: Write the name as the corpus does; the extension finds the boundary table.
field:  {number}
*/
select file, line, path as value, number
from index_named
where not is_wrong and (name = '' or extension = '')
