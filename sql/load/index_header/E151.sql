/*
what:   header {said}, expected '{expected}'
advice: Name the index file of this task.
*/
select file, line, starts[1] as at_column, f[1] as value, expected,
    if(own is null, 'does not name a task of TDT', 'is that of an index for ' || own) as said
from header
where is_header and not is_own
