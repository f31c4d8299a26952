/*
what:   deferral period is not a whole number, expected 1, 10 or 100
advice: Correct the header.
*/
select file, line, starts[list_position(fields, 'deferral')] as at_column, deferral_said as value,
    of_deferral[1] as code
from header
where deferral_said is not null and deferral is null
