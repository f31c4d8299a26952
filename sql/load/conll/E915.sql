/*
what:   the document is already on {earlier_line}
advice: Give each part its own name: #begin document (NAME); part 001.
*/
select file, line, 1 as at_column, name as value, earlier_line
from conll_document
where earlier_line is not null
