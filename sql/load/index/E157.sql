/*
what:   source file is already on {earlier_line}, expected every file once
advice: Remove one of the lines.
field:  {number}
*/
select named.file, named.line, named.path as value, named.number, own.line as earlier_line
from index_named as named
join index_file as own on own.file = named.file and own.source_file = named.name
where not named.is_wrong and named.extension <> '' and named.line > own.line
