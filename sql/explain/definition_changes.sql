/*
title:  What differs between two definitions: lines removed from the SELECT, lines added, grain, class and published
        metrics; old, new: header and body as JSON
edges:  Lines are compared as a set of (line, number of its earlier occurrences): a row says where only their order
        differs.
*/
with

side as (
    select 0 as side, cast($old as json) as definition
    union all
    select 1, cast($new as json)
),

line as (
    select
        side, line_no, line, row_number() over (partition by side, line order by line_no) as nth
    from (
        select side, unnest(lines) as line, unnest(range(len(lines))) as line_no
        from (select side, string_split(definition ->> '$.body', chr(10)) as lines from side)
    )
),

other_line as (
    select side, line_no, trim(line) as line
    from line
    qualify count(*) over (partition by line, nth) = 1
),

metric as (
    select side, unnest(ids) as metric, unnest(range(len(ids))) as metric_no
    from (select side, from_json(definition -> '$.metrics[*][0]', '["varchar"]') as ids from side)
),

field as (
    select
        field_no, field,
        coalesce(json_extract_string(cast($old as json), '$.fields.' || field), 'None') as before,
        coalesce(json_extract_string(cast($new as json), '$.fields.' || field), 'None') as after
    from (values (1, 'grain'), (2, 'class')) as named(field_no, field)
),

odd as (
    select 1 as section, line_no as place, side, if(side = 0, 'removed', 'added') as change, line as text
    from other_line
    union all
    select 2, 0, 0, 'order', 'the same lines stand in another order'
    from side
    where not exists (from other_line)
    group by all
    having count(distinct definition ->> '$.body') > 1
    union all
    select 2 + field_no, 0, 0, field, before || ' -> ' || after
    from field
    where before <> after
    union all
    select 5 + side, metric_no, 0, if(side = 0, 'published no more', 'published too'), metric
    from metric
    qualify count(*) over (partition by metric) = 1
)

select change, text
from odd
order by section, side, place
