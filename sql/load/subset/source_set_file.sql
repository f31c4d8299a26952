/*
what:   Source files in sets; those outside a set have no title and no heading.
*/
select tag.file, tag.line, tag.place, tag.at_column, own.place as set_place, own.line as set_line, own.title,
    own.heading,
    as_source(name) as source_file, own.place is not null and as_source(name) <> ''
        and row_number() over (partition by tag.file, own.place, as_source(name) order by tag.place) = 1 as is_member
from (select *, f[1] as name from tag where element = 'source_file' and not is_closing) as tag
left join read_source_set as own on own.file = tag.file and tag.place between own.place and own.next_place
