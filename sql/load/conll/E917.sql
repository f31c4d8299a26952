/*
what:   the document does not end
advice: Is the file cut off? End it with #end document.
*/
select file, line, 1 as at_column, name as value
from conll_document
where is_last_open and not is_listed
