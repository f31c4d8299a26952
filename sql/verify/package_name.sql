/*
title:  What a task package may not have: a task, tables or views that others define, or that are in the wrong schema,
        and tables that are not filled as its task says; text: all that is recorded of it; tasks, known: task or
        relation, and who defines it; derived: of tdtsql
*/
with

part as (
    select 1 as kind, id, key as name, value
    from json_each($text, '$.tables')
    union all
    select 2, id, key, value
    from json_each($text, '$.relations')
    union all
    select 3, id, key, value
    from json_each($text, '$.derived')
    union all
    select 4, id, 'audit.' || key, value
    from json_each($text, '$.audit')
),

task as (
    select name, coalesce(families, []) as families, coalesce(follows, []) as follows
    from (select unnest(from_json(
        json_extract($text, '$.task'), '{"name": "varchar", "families": ["varchar"], "follows": ["varchar"]}'
    )))
),

known as (
    select one[1] as name, one[2] as owner
    from (select unnest($known) as one)
),

schema as (
    select list_sort(list_distinct(list(split_part(name, '.', 1)))) as names
    from part
    where kind = 1
),

derived as (
    select
        id, name, split_part(name, '.', 2) as short, json_extract_string(value, '$.fields.fills') as fills,
        json_extract_string(value, '$.fields.owner') as owner
    from part
    where kind = 3
),

filled as (
    select
        coalesce(list(short order by id), []) as names,
        count(distinct fills) < count(*) as is_twice
    from derived
),

odd as (
    select
        1 as place, 0 as id,
        format('{} and {} both define a task ''{}''. Uninstall one of them.', $package, one[2], name) as message
    from (select unnest($tasks) as one) join task on name = one[1]
    union all
    select
        2, 0, format(
            '{}: its tables are in {}, expected one separate schema. Move them.', $package, array_to_string(names, ', ')
        )
    from schema
    where len(names) > 1 or list_has_any(names, ['own', 'main'])
        or list_has_any(names, (select list(split_part(name, '.', 1)) from known where owner = 'tdtsql'))
    union all
    select
        2 + kind, id, format(
            '{} and {} both define {}. Rename yours.', $package,
            coalesce((select owner from known where known.name = part.name), 'tdtsql'), name
        )
    from part
    where kind < 3
        and (name in (select name from known) or regexp_replace(name, '__v\d+$', '') in (select name from known))
    union all
    select
        5, id, format(
            '{}: {} fills {} by {}, expected one of its tables with condition_no, and owner: condition_no. Correct its '
            || 'header.', $package, name, fills, owner
        )
    from derived
    where owner <> 'condition_no' or fills not in (
        select name from part where kind = 1 and json_exists(value, '$.columns.condition_no')
    )
    union all
    select
        6, 0, format(
            '{}: Task(follows=...) is {}, and derived/ has {}. List there the files of derived/, each of which fills '
            || 'one table.', $package, coalesce(nullif(array_to_string(follows, ', '), ''), 'empty'),
            coalesce(nullif(array_to_string(names, ', '), ''), 'nothing')
        )
    from task cross join filled
    where is_twice or list_sort(names) <> list_sort(list_distinct(list_filter(
        follows, lambda one: not list_contains(cast($derived as varchar[]), 'derived.' || one)
    )))
    union all
    select
        5 + kind, id, format(
            '{}: {} is not allowed, expected a view in base, metric, report whose name begins with {}. Rename it.',
            $package, part.name, array_to_string(list_transform(families, lambda family: family || '_'), ' or ')
        )
    from part cross join task
    where kind > 1 and (
        split_part(part.name, '.', 1) not in ('base', 'metric', 'report', 'derived', 'audit')
        or len(list_filter(families, lambda family: starts_with(split_part(part.name, '.', 2), family || '_'))) = 0
    )
)

select message
from odd
order by place, id
limit 1
