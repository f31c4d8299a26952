/*
what:   header has no deferral period, expected 1, 10 or 100
advice: It is left empty.
*/
select file, line, starts[1] as at_column, whole as value
from header
where is_header and list_contains(fields, 'deferral') and deferral_said is null
