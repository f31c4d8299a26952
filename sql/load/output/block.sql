/*
what:   source file already has a block that begins on {first_line}, expected its records in one block
advice: Write all records of a source file one after another.
field:  source
*/
-- the code is the 13th after that of the header
with record as (
    select file, line, source as name
    from read_output where recid is not null or seconds is not null
)

select file, line, name as value, first_line, 'E' || (first_code + 13) as code
from (
    select *, name is distinct from lag(name) over (partition by file order by line) as is_new,
        min(line) over (partition by file, name) as first_line
    from record)
join (select file, first_code from header) using (file)
where is_new and line > first_line
