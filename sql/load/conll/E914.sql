/*
what:   a line outside of a document
advice: Begin the document with #begin document (NAME).
*/
select file, line, 1 as at_column, text as value
from conll_line
where kind = 'row' and begin_line is null
