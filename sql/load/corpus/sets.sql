/*
what:   The sets of source files of a corpus, by their headings (without a source file where it is empty); of exclude
        lists, the first set of each
*/
create or replace temp table set_file as
select coalesce(nullif(own.heading, ''), own.title) as heading, source_file
from set_row as own
left join set_member using (kind, file, title, heading)
where kind = 'subset file';

create or replace temp table excluded_file as
select file, line, source_file
from set_member
join (select file, arg_min(line, place) as first_line, arg_min(heading, place) as first_heading
    from set_row where kind = 'exclude list' group by file) using (file)
where kind = 'exclude list' and (line = first_line or heading = first_heading)
