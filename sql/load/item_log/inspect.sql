/*
what: The samples of Inspect, a row for each; each part of a score is a measure. A sample that ended in an
      error, or lacks a score, is a sample of every measure of the file.
*/
with sample as (
    select line, attributes, json_extract(said, '$.scores') as scores,
        case when json_type(said, '$.id') in ('VARCHAR', 'NULL')
                or regexp_full_match(json_extract_string(said, '$.id'), '-?[0-9]+|true|false')
                then json_extract_string(said, '$.id')
            else ' ' || json_extract_string(said, '$.id') end as item_id,
        json_extract_string(said, '$.epoch') as epoch,
        if(coalesce(json_type(said, '$.error'), 'NULL') <> 'NULL', 'error', null) as error,
        case when said is null then 'JSON'
            when json_type(scores) not in ('OBJECT', 'NULL') then 'object scores'
            when json_type(said, '$.epoch') is null then 'epoch' end as lacking
    from item_record
),

scorer as (
    select *, json_extract(scores, '/' || replace(replace(scorer, '~', '~0'), '/', '~1')) as said,
        json_extract(said, '$.value') as value,
        coalesce(lacking,
            if(json_type(said) = 'OBJECT' and value is not null, null, 'value of score ' || scorer)) as lack
    from (
        select *, unnest(if(lacking is null, json_keys(scores), [null])) as scorer
        from sample
        where lacking is not null or json_type(scores) = 'OBJECT')
),

part as (
    select *,
        if(key is null, value, json_extract(value, '/' || replace(replace(key, '~', '~0'), '/', '~1'))) as part_value
    from (
        select *, unnest(if(json_type(value) = 'OBJECT' and lack is null, json_keys(value), [null])) as key
        from scorer
        -- no value where others have parts
        where lack is not null or json_type(value) <> 'NULL'
            or scorer not in (select scorer from scorer where json_type(value) = 'OBJECT' and lack is null))
),

score as (
    select row_number() over () as place, line, item_id, scorer || coalesce('/' || key, '') as measure,
        json_extract_string(part_value, '$') as score, epoch, error,
        if(lacking is null, attributes, null) as attributes, lack as lacking
    from part
    union all
    select line + 1e12, line, item_id, measure, null, epoch, error, attributes, null
    from sample
    cross join (select distinct scorer || coalesce('/' || key, '') as measure from part where lack is null)
    where lacking is null and (line, measure) not in (select line, scorer || coalesce('/' || key, '') from part)
)

select place, line, cast(null as varchar) as run_id, item_id, measure, score, epoch, error,
    cast(null as varchar) as content, cast(null as varchar) as prompt, attributes, lacking,
    'Is it a file of this format?' as advised, cast(null as varchar) as metric, cast(null as varchar) as left_out
from score
