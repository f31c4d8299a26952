/*
what:   pointer does not rise, expected more than {highest:.15g} of {highest_line}
advice: Sort the records of the source file by pointer.
field:  {field}
value:  {value:.15g}
*/
-- a block: records of one source file one after another; the code is the 12th after that of the header
with record as (
    select file, line, coalesce(cast(recid as double), seconds) as pointer,
        if(recid is null, 'seconds', 'recid') as field,
        source as name
    from read_output where coalesce(cast(recid as double), seconds) is not null
),

blocked as (
    select *, sum(cast(is_new as integer)) over (partition by file order by line) as block
    from (select *, name is distinct from lag(name) over (partition by file order by line) as is_new from record)
),

-- of the records before, the highest one, and of equal ones the first
highest as (
    select *, max(pointer) over earlier as highest, arg_max(line, pointer) over earlier as highest_line
    from blocked
    window earlier as (
        partition by file, block order by line rows between unbounded preceding and 1 preceding)
)

select file, line, pointer as value, highest, highest_line, field, 'E' || (first_code + 12) as code
from highest
join (select file, first_code from header) using (file)
where pointer <= highest
