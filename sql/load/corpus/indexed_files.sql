/*
what:   The source files whose boundary tables are read (source_file, extension, is_extra): those of only training
        stories first, then those of indexes in one order, which is that of the indexes where they agree, by name
        elsewhere. What several call otherwise is as the first of them says.
*/
with listed as (
    select *, count(*) over (partition by index_no) as n_file,
        row_number() over (order by index_no, line) as place,
        source_file < lag(source_file) over (partition by index_no order by line) as is_back
    from indexed_file
),

numbered as (
    select *, row_number() over (order by n_file desc, place) as nth
    from listed
),

trained as (
    select source_file, coalesce(extension, 'tkn') as extension, row_number() over (order by index_no, line) as place
    from indexed_training
    left join (select index_no, arg_min(extension, line) as extension from indexed_file group by index_no)
        using (index_no)
    where source_file not in (select source_file from indexed_file)
)

select source_file, arg_min(extension, place) as extension, true as is_extra, 0 as nth
from trained
group by source_file
union all
select source_file, arg_min(extension, place), false,
    if((select coalesce(bool_or(is_back), false) from listed), min(nth), 0)
from numbered
group by source_file
order by is_extra desc, nth, source_file
