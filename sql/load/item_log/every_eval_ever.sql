/*
what: The samples of instance records of Every Eval Ever.
*/
with record as (
    select line, attributes, json_extract(said, '$.evaluation') as evaluation,
        list_transform(['$.model_id', '$.evaluation_name', '$.sample_id'], lambda key:
            case when json_type(said, key) in ('VARCHAR', 'NULL')
                    or regexp_full_match(json_extract_string(said, key), '-?[0-9]+|true|false')
                    then json_extract_string(said, key)
                else ' ' || json_extract_string(said, key) end) as ids,
        json_extract_string(said, '$.evaluation_result_id') as result,
        if(json_type(said, '$.metadata') = 'OBJECT', json_extract_string(said, '$.metadata.epoch'), null) as epoch,
        if(coalesce(json_type(said, '$.error'), 'NULL') <> 'NULL', 'error', null) as error,
        if(json_type(said, '$.sample_hash') = 'VARCHAR', json_extract_string(said, '$.sample_hash'), null) as content,
        json_type(said, '$.evaluation_result_id') = 'VARCHAR' and result <> '' and not starts_with(result, 'er_')
            as is_named,
        case when said is null then 'JSON'
            when json_type(said, '$.model_id') is null then 'model_id'
            when json_type(said, '$.evaluation_name') is null then 'evaluation_name'
            when json_type(said, '$.sample_id') is null then 'sample_id'
            when evaluation is null then 'evaluation'
            when json_type(evaluation) <> 'OBJECT' or coalesce(json_type(evaluation, '$.score'),
                json_type(evaluation, '$.is_correct')) is null then 'score in evaluation' end as lacking
    from item_record
)

select line as place, line, ids[1] as run_id, nullif(ids[2], '') || '/' || nullif(ids[3], '') as item_id,
    if(is_named, result, 'score') as measure,
    json_extract_string(evaluation, if(json_type(evaluation, '$.score') is null, '$.is_correct', '$.score')) as score,
    if(count(epoch) over () > 0, coalesce(epoch, '1'), null) as epoch, error, content,
    cast(null as varchar) as prompt, ids[2] as evaluation_name,
    if(lacking is null, attributes, null) as attributes, lacking,
    'Is it a file of this format?' as advised, cast(null as varchar) as metric, cast(null as varchar) as left_out
from record
