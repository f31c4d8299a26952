/*
what:   no header, expected '# <source type> <training language> <test language> <Nt>'
advice: Begin the file with the header line.
*/
select file, line, 1 as at_column, whole as value
from header
where not is_header
