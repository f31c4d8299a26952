/*
what:   Nt is not a number of training stories, expected 1, 2, 4, 8, 16 or V
advice: Correct the header.
*/
select file, line, starts[4] as at_column, f[4] as value
from header
where is_header and nt is null
