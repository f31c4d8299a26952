/*
title:    Definitions that differ, and how many others read them
*/
with

changed as (select name, change from other_hash where what = 'definition'),

reader as (
    select name
    from other_hash
    where what = 'closure' and change like 'changed%' and name not in (select name from changed)
)

select 'definition' as what, name, change, '' as because, 1 as place from changed
union all
select
    'definition', count(*) || ' views', 'read one that changed',
    (select coalesce(array_to_string(list(name order by name)[:3], ', '), '') from changed), 2
from reader
having count(*) > 0
order by place, name
