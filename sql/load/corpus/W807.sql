/*
what:   {files} not in the order of time: {name} of {date} is after {other} of {latest}
advice: Correct {what}: which stories are new, and which are tested, depends on the order.
*/
with dated as (
    select
        kind, place, file, source_file,
        coalesce(collected_at, cast(coalesce(try_strptime(source_file[:13], '%Y%m%d_%H%M'),
            try_strptime(source_file[:8], '%Y%m%d')) as varchar)) as date
    from corpus_file where kind = 2 or not is_extra
)

select if(kind = 1, $root, file) as file, null as line, null as value, source_file as name, date, before.name as other,
    before.date as latest, if(n = 1, '1 source file is', format('{:,} source files are', n)) as files,
    if(kind = 1, 'the index', 'their positions') as what
from (
    select *, count(*) over (partition by kind) as n
    from (
        select *, max({'date': date, 'name': source_file}) over (
            partition by kind order by place rows between unbounded preceding and 1 preceding) as before
        from dated where date is not null)
    where date < before.date)
qualify row_number() over (partition by kind order by place) = 1
