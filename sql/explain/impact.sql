/*
title: Views whose definition is not the store's (new, direct), views that read one of these (indirect), and views that
       do not exist; the views of now are temp.definition_now
*/
with

run as (
    select task, count(*) as n
    from registry.run
    join registry.condition using (condition_no)
    group by task
),

kept as (
    select relation, token_sha256, closure_sha256
    from registry.definition
    where owner <> 'own'
),

compared as (
    select
        now.*,
        case
            when is_own then null
            when kept.relation is null then 'new'
            when token_sha256 <> tokens then 'direct'
        end as change,
        coalesce(closure_sha256 <> closure, false) as is_other
    from temp.definition_now as now
    left join kept using (relation)
),

reads as (
    select reader.relation, string_agg(name, ' ' order by source.position) as because
    from (select relation, unnest(string_split(below, ' ')) as name from temp.definition_now) as reader
    join compared as source on source.relation = name
    where source.change is not null
    group by reader.relation
),

affected as (
    select reader.relation, sum(n) as n
    from (select relation, unnest(string_split(tasks, ' ')) as task from temp.definition_now) as reader
    join run using (task)
    group by reader.relation
)

select
    relation, coalesce(change, if(now.relation is null, 'gone', 'indirect')) as change,
    case
        when change is not null or now.relation is null then ''
        else coalesce(because, 'columns of tables')
    end as because,
    coalesce(metrics, '') as metrics,
    case when metrics <> '' then cast(coalesce(n, 0) as bigint) else 0 end as n_run
from compared as now
full join (from kept anti join temp.definition_now using (relation)) as gone using (relation)
left join reads using (relation)
left join affected using (relation)
where now.relation is null or change is not null or is_other or is_own and because is not null
order by position nulls last, relation
