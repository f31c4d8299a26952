/*
title:  Numbers of runs as tables: one for each condition and profile, a line per run (and subset), a column per metric
*/
with

number as (select *, row_number() over () as row_no from result),

board as (
    select
        setting, direction, percent, condition_id, profile_id, min(row_no) as board_no,
        count(distinct subset) > 1 as has_subsets,
        string_agg(signed, '; ' order by row_no) filter (is_shown = 1) as signature
    from number
    group by setting, direction, percent, condition_id, profile_id
),

metric as (
    select setting, metric, min(metric_no) as metric_no
    from number
    where is_shown = 1
    group by setting, metric
),

line as (select setting, name, subset, min(row_no) as line_no from number group by setting, name, subset),

laid_out as (
    select
        setting, line_no, list(metric order by metric.metric_no) as metrics,
        list_concat(
            [{'text': name}], case when has_subsets then [{'text': subset}] else [] end,
            list(
                {
                    'metric': metric, 'value': value, 'low': low, 'high': high, 'percent': board.percent,
                    'is_best': is_best = 1
                } order by metric.metric_no
            )
        ) as cells
    from line
    join board using (setting)
    join metric using (setting)
    left join number using (setting, name, subset, metric)
    group by setting, line_no, name, subset, has_subsets
)

select
    list_concat(case when has_subsets then ['run', 'subset'] else ['run'] end, first(metrics)) as columns,
    list(cells order by line_no) as rows,
    setting || case when percent then ', in %' else '' end || direction || '.' as caption,
    'tab:' || trim(regexp_replace(condition_id || '-' || profile_id, '[^\p{L}\p{N}]', '-', 'g'), '-') as label,
    coalesce(signature, '') as signature, columns as keep
from laid_out
join board using (setting)
group by setting, direction, percent, condition_id, profile_id, has_subsets, signature, board_no
order by board_no
