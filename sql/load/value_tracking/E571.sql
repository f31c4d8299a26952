/*
what:   {n} columns, expected 9: event team run document sentence time attribute value confidence
advice: Fix or drop the row.
*/
select file, line, array_to_string(cells, ' ') as value, len(cells) as n
from read_values
where invalid > 0 and len(cells) <> 9
