/*
what:   BOUNDSET has no fileid, expected fileid=NAME of the source file
advice: Add the attribute.
*/
select file, line, at_column, null as value
from read_boundary_set
where file_id is null
