/*
title:  What the views of a set of definitions publish, as registry.published has it; relations: their compiled
        entries; of user-defined metrics the newest version publishes, and a number of blocks also has its mean over
        them, unless another definition gives the number of the run
*/
with

relation as (
    select
        id, key as relation, regexp_replace(key, '__v\d+$', '') as alias,
        coalesce(try_cast(regexp_extract(key, '__v(\d+)$', 1) as integer), 1) as version,
        list_contains(from_json(value -> 'grain', '["varchar"]'), 'block_no') as is_of_block,
        from_json(value -> 'columns', '[["varchar"]]') as columns,
        from_json(value -> 'metrics', '[["varchar"]]') as metrics
    from json_each($relations)
    qualify not $is_own or version = max(version) over (partition by alias)
),

metric as (
    select
        * exclude (metrics), generate_subscripts(metrics, 1) as place, unnest(metrics)[1] as metric,
        unnest(metrics)[3] as best, unnest(metrics)[4] as title, unnest(metrics)[5] as column_name
    from relation
),

place as (
    select
        *,
        if(not is_of_block, ['score'], if(
            $is_own and metric not in (select metric from metric where not is_of_block), ['block', 'score'], ['block']
        )) as grains
    from metric
)

select
    metric, relation, unnest(grains) as grain, 'v' || version as version, best,
    list_filter(columns, lambda one: one[1] = column_name)[1][2] as unit, title, column_name
from place
order by id, place, generate_subscripts(grains, 1)
