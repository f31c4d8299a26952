/*
what:   {files} not in the order of time: {name} of {date} is after {other} of {latest}
advice: Correct the index: which stories are new, and which are tested, depends on the order.
*/
select $root as file, null as line, null as value, source_file as name, collected_at as date, before.name as other,
    before.date as latest, if(n = 1, '1 source file is', format('{:,} source files are', n)) as files
from (
    select *, count(*) over () as n
    from (
        select *, max({'date': collected_at, 'name': source_file}) over (
            order by place rows between unbounded preceding and 1 preceding) as before
        from corpus_file where kind = 1 and not is_extra and collected_at is not null)
    where collected_at < before.date)
qualify row_number() over (order by place) = 1
