/*
what:   pointer type is not known, expected recid, time or docno
advice: Correct the header.
*/
select file, line, starts[-1] as at_column, pointer_said as value, 'E' || (first_code + 2) as code
from header
where pointer_said is not null and pointer_type is null
