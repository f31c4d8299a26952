/*
what: The lines of the documents of CoNLL whose items are spans of lines.
*/
select name as block_id, arg_max(n_line, (file, line)) as n_line
from conll_document
where not is_listed
group by name
