/*
title:  What of the columns, grain, metrics and class of a user-defined metric is not that of its SELECT (E986);
        metrics: id, column, what counts it and best end of each; weightings: those that are written; libm: functions
        that a definition of class exact calls
*/
with

said as (
    select
        cast($outputs as varchar[]) as outputs, cast($names as varchar[]) as names, cast($keys as varchar[]) as keys,
        cast($grain as varchar[]) as grain, array_to_string(cast($grain as varchar[]), ', ') as grain_text,
        cast($libm as varchar[]) as libm
),

metric as (
    select place, one[1] as metric, one[2] as column_name, one[3] as n, one[4] as best
    from (
        select
            unnest(cast($metrics as varchar[][])) as one, generate_subscripts(cast($metrics as varchar[][]), 1) as place
    )
),

odd as (
    select
        1 as part, 0 as place,
        format('columns are not the select list ({})', left(array_to_string(outputs, ', '), 150)) as message,
        coalesce(
            list_filter(
                outputs || names, lambda name: list_contains(outputs, name) <> list_contains(names, name)
            )[1], outputs[1]
        ) as value,
        'Write both in one order.' as advice
    from said
    where outputs <> names
    union all
    select
        2, 0, 'two columns have one name',
        list_filter(names, lambda name: len(list_filter(names, lambda other: other = name)) > 1)[1], 'Rename one.'
    from said
    where len(list_distinct(names)) < len(names)
    union all
    select
        3, 0, 'grain is not the columns marked key, in order', grain_text,
        format('Write {}.', array_to_string(keys, ', '))
    from said
    where grain <> keys
    union all
    select 4, 0, 'grain does not begin with run_no', grain_text, 'Add it.'
    from said
    where grain[1] is distinct from 'run_no'
    union all
    select
        5, 0, 'grain needs block_no or weighting, and otherwise only run_no, profile_no and subset_no', grain_text,
        if(
            list_contains(grain, 'measure_no'),
            'It is of one measure: choose that by its name, where measure = ''...'' of base.item_measure.',
            'Correct it.'
        )
    from said
    where list_contains(grain, 'block_no') = list_contains(grain, 'weighting')
        or not list_has_all(['run_no', 'profile_no', 'subset_no', 'block_no', 'weighting'], grain)
    union all
    select
        6, place, 'unknown weighting', weighting,
        format('Weightings are {}.', array_to_string(cast($known_weightings as varchar[]), ', '))
    from (
        select
            unnest(cast($weightings as varchar[])) as weighting,
            generate_subscripts(cast($weightings as varchar[]), 1) as place
    )
    where not list_contains($known_weightings, weighting)
    union all
    select 7, row_number() over (order by column_name), 'metrics has a column twice', column_name, 'Leave one out.'
    from metric
    group by column_name
    having count(*) > 1
    union all
    select
        8, 10 * place, 'the id of a metric has other characters than letters, digits and _', column_name, 'Rename it.'
    from metric
    where not regexp_full_match(column_name, '[a-z][a-z0-9_]{0,62}')
    union all
    select
        8, 10 * place + unnest([1, 2]), unnest(['metric is not a column', 'n is not a column']),
        unnest([column_name, n]), 'Add the column, or correct the line of metrics.'
    from metric
    union all
    select 8, 10 * place + 3, 'best is not lowest, highest or none', best, 'Correct the line of metrics.'
    from metric
    where best not in ('lowest', 'highest', 'none')
    union all
    select 8, 10 * place + 4, 'a metric has the name of its column', metric, 'Leave ` as ` out.'
    from metric
    where metric <> column_name
    union all
    select
        9, 0, format('class is exact, and {} differs between machines', array_to_string(list_sort(libm), ', ')),
        list_min(libm), 'Write class: libm.'
    from said
    where len(libm) > 0
)

select message, value, advice
from odd
where part <> 8 or place % 10 not in (1, 2) or not list_contains($names, value)
order by part, place
