/*
what:   deferral period is unusual, expected 1, 10 or 100
advice: It is stored unchanged.
*/
select file, line, starts[list_position(fields, 'deferral')] as at_column, deferral_said as value,
    of_deferral[2] as code
from header
where deferral not in (1, 10, 100)
