/*
what:   a document begins within the one of {begin_line}
advice: End each with #end document.
*/
select own.file, own.line, 1 as at_column, own.text as value, own.begin_line
from conll_line as own
join conll_document using (file, line)
where own.begin_line is not null and not is_listed
