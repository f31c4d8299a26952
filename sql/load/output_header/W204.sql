/*
what:   Nt is unusual, expected 1, 2, 4, 8, 16 or V
advice: It is stored unchanged.
*/
select file, line, starts[list_position(fields, 'nt')] as at_column, nt_said as value
from header
where nt_number is not null and not is_variant and nt not in ('1', '2', '4', '8', '16')
