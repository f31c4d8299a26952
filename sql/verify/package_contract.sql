/*
title:  What is wrong with the views, tables and profiles of a task package: grain, columns, comments, metrics that
        no view publishes; text: all that is recorded of it; published: the metrics of its task; run_tables: tables with
        run_no
*/
with

part as (
    select id, key as name, value, '$.relations' as kind
    from json_each($text, '$.relations')
    union all
    select id, key, value, '$.tables'
    from json_each($text, '$.tables')
),

view as (
    select
        id, name, value ->> '$.body' as body,
        from_json(value -> '$.grain', '["varchar"]') as grain,
        from_json(value -> '$.columns[*][0]', '["varchar"]') as columns,
        from_json(value -> '$.metrics', '[["varchar"]]') as metrics
    from part
    where kind = '$.relations'
),

wanted as (
    select 1 as place, json_extract_string($text, '$.task.primary') as metric
    union all
    select 2 + generate_subscripts(summary, 1), unnest(summary)
    from (select json_extract_string($text, '$.task.summary[*]') as summary)
    union all
    select 100 + row_number() over (order by metric), metric
    from (select distinct value ->> '$.values.ranked_by' as metric from json_each($text, '$.profiles'))
    where metric is not null
),

odd as (
    select
        1 as section, id, 0 as place,
        name || ': the grain has ' || array_to_string(lost, ', ') || ', which is not a column' as message
    from (select *, list_filter(grain, lambda key: not list_contains(columns, key)) as lost from view)
    where len(lost) > 0
    union all
    select 1, id, place, name || ': the metric ' || metric[1] || ' has no column ' || metric[5]
    from (select id, name, columns, unnest(metrics) as metric, generate_subscripts(metrics, 1) as place from view)
    where not list_contains(columns, metric[5])
    union all
    select
        1, id, 1000,
        name || ': avg, random and now are not reproducible. Use exact_mean, and values of tables'
    from view
    where regexp_matches(body, '(?i)\b(avg|random|now|current_timestamp)\s*\(')
    union all
    select
        2, min(place), 0, 'the task or a profile of it names the metric ' || metric || ', which no view publishes'
    from wanted
    where not list_contains($published, metric)
    group by metric
    union all
    select 3, id, column_no, name || ': column ' || "column" || ' has no comment'
    from (
        select
            id, name, value, unnest(json_keys(value, '$.columns')) as "column",
            generate_subscripts(json_keys(value, '$.columns'), 1) as column_no
        from part
        where kind = '$.tables'
    )
    where not list_contains(json_keys(value, '$.comments'), "column")
    union all
    select 4, 0, 0, 'the run table ' || run_table || ' is not a table with run_no'
    from (select json_extract_string($text, '$.task.run_table') as run_table)
    where not list_contains($run_tables, run_table)
    union all
    select 5, id, 0, 'profile ' || key || ' has no source'
    from json_each($text, '$.profiles')
    where coalesce(value ->> '$.source', '') = ''
)

select if(section = 5, 'profiles', 'views') as what, message
from odd
order by section, id, place
