/*
what:   Nt is not a number of training stories, expected 1, 2, 4, 8, 16 or V
advice: Correct the header.
*/
select file, line, starts[list_position(fields, 'nt')] as at_column, nt_said as value
from header
where nt_number is null and nt <> 'V'
