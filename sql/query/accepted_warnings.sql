/*
title:       Accepted load warnings
question:    Which warnings were accepted on loading, how many of each, and where is the first?
about:       trust
inputs:      registry.problem
parameters:
    code  text  none  one code, as W561; none: all
grain:       owner, code
columns:
    owner       key    corpus:ID, condition:ID or run:CONDITION/ID
    code        key    code of the warning
    n_problem   count  how many
    path        text   file of the first
    first_line  count  its line; NULL where the file as a whole is meant
    message     text   what is wrong there
order:       Owners and codes by name.
see also:    files_of_run
*/
select
    owner, code,
    count(*) as n_problem,
    first(path order by path, line nulls first, column_no nulls first, message) as path,
    first(line order by path, line nulls first, column_no nulls first, message) as first_line,
    first(message order by path, line nulls first, column_no nulls first, message) as message
from registry.problem
where code = coalesce($code, code)
group by owner, code
order by owner, code
