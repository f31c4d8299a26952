/*
what:   a document ends that did not begin
advice: Begin it with #begin document (NAME).
*/
select file, line, 1 as at_column, text as value
from conll_line
where kind = 'end' and begin_line is null
