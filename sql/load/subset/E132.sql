/*
what:   set has no heading, expected heading="NAME"
advice: Add the attribute: it names the subset in every table.
*/
select file, line, at_column, null as value
from read_source_set
where heading = ''
