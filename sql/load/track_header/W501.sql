/*
title:  a file without a header line
what:   the first line is data, not a header; it is read (the programs of the track skip it)
*/
select file, line, text as value
from header
where $code = '' and line = 1 and is_data
