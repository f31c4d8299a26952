/*
title:       Warnings while loading
question:    Which problems of the data were accepted as warnings?
about:       trust
inputs:      registry.problem
parameters:
    code  text  none  one code; none: all
grain:       warning_no
columns:
    warning_no  key    number, in this order
    code        text   code of the warning
    owner       text   corpus:ID, condition:ID or run:CONDITION/ID
    place       text   file, line and column
    message     text   what is wrong
    value       text   the offending text
order:       By owner, file, line and column.
show:        table layout=inline hide=warning_no
pages:       report 170 overview 40
see also:    accepted_warnings
*/
select
    row_number() over (order by owner, path, line, column_no, code, message, value) as warning_no, code, owner,
    concat_ws(':', path, line, column_no) as place, message, value
from registry.problem
where code = coalesce($code, code)
order by warning_no
