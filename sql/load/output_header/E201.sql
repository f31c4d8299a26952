/*
what:   boundaries field is not known, expected yes or no
advice: Say whether story boundaries were given to the system.
*/
select file, line, starts[list_position(fields, 'boundaries')] as at_column,
    boundaries_said as value, 'E' || (first_code + 1) as code
from header
where lower(boundaries_said) not in ('yes', 'no')
