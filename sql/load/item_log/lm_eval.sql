/*
what: The samples of samples_TASK_DATE.jsonl of lm-evaluation-harness: a document under a filter, with a score for each
      metric. The harness writes the log likelihood of a document under the name of what it makes of all of them.
*/
with document as (
    select line, said, attributes, json_extract_string(said, '$.doc_id') as doc_id,
        json_extract_string(said, '$.metrics[*]') as metrics,
        if(json_type(said, '$.doc_hash') = 'VARCHAR', json_extract_string(said, '$.doc_hash'), null) as content,
        if(json_type(said, '$.prompt_hash') = 'VARCHAR', json_extract_string(said, '$.prompt_hash'), null) as prompt,
        '/' || nullif(coalesce(json_extract_string(said, '$.filter'), 'none'), 'none') as filter,
        case when said is null then 'JSON'
            when json_type(said, '$.doc_id') not in ('VARCHAR', 'UBIGINT', 'BIGINT', 'HUGEINT', 'DOUBLE')
                or json_type(said, '$.doc_id') is null
                or json_type(said, '$.doc_id') <> 'VARCHAR' and not regexp_full_match(doc_id, '-?[0-9]+') then 'doc_id'
            when len($scores) = 0 and (coalesce(json_type(said, '$.metrics') <> 'ARRAY', true)
                or not list_bool_and(list_transform(json_extract(said, '$.metrics[*]'),
                    lambda metric: json_type(metric) = 'VARCHAR'))) then 'list metrics'
        end as lacking
    from item_record
),

found as (
    select * exclude (metrics), false as is_made,
        json_extract(said, '/' || replace(replace(metric, '~', '~0'), '/', '~1')) as value
    from (
        select *, unnest(if(lacking is not null, [null], if(len($scores) = 0, metrics, $scores))) as metric
        from document)
),

-- a document that lacks a metric is one without a score
score as (
    from found
    union all by name
    select document.* exclude (metrics), true as is_made, metric
    from document
    join (select distinct filter, metric from found where lacking is null) as known
        on known.filter is not distinct from document.filter
    where lacking is null and len($scores) = 0 and not list_contains(metrics, metric)
)

select row_number() over () as place, line, cast(null as varchar) as run_id,
    $task || '/' || doc_id as item_id, metric || coalesce(filter, '') as measure,
    json_extract_string(value, '$') as score, cast(null as varchar) as epoch, cast(null as varchar) as error,
    content, prompt, if(lacking is null, attributes, null) as attributes,
    -- a sample may lack a score that others have
    coalesce(lacking, if(count(value) over (partition by metric) = 0 and not is_made, metric, null)) as lacking,
    if(lacking = 'list metrics', 'Say which keys are scores: score = ["acc"] of the run.',
        'Is it a file of this format?') as advised,
    metric,
    case when contains(metric, 'perplexity') or metric = 'bits_per_byte' then coalesce(
            case json_type(value) when 'ARRAY' then 'a list' when 'OBJECT' then 'a dict' end, 'a log likelihood')
        when json_type(value) = 'ARRAY' then 'a list' when json_type(value) = 'OBJECT' then 'a dict' end as left_out
from score
