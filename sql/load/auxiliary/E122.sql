/*
what:   source file is described otherwise on {earlier_line}
advice: Keep one of the two lines.
field:  path
*/
select file, line, path as value, earlier_line
from (
    select *,
        first_value(line) over listed as earlier_line,
        first_value({'source': source, 'language': language, 'date': date}) over listed as earlier
    from read_auxiliary_index
    where date is not null
    window listed as (partition by file, source_file order by line)
)
where earlier <> {'source': source, 'language': language, 'date': date}
