/*
title:  What a report is about: the bundles of the corpora of a store (or their names), and its contents
*/
with

corpus as (
    select corpus_no, coalesce(max_by(json_extract_string(detail, '$.bundle'), entry_no), corpus_id) as name
    from registry.corpus
    left join ledger.entry on kind = 'load' and subject = 'corpus:' || corpus_id
    group by corpus_no, corpus_id
),

named as (
    select list(name order by first_no) as names
    from (select name, min(corpus_no) as first_no from corpus group by name)
),

own as (
    select '; user-defined metrics: ' || string_agg(metric, ', ' order by metric) as metrics
    from (select distinct metric from registry.metric where starts_with(metric, 'own:'))
),

condition as (
    select distinct condition_id, replace(task, '_', ' ') as task
    from registry.condition
    join registry.condition_profile using (condition_no)
    join registry.run using (condition_no)
)

select
    coalesce(
        'Evaluation report: ' || array_to_string(names[:3], ', ')
        || case when len(names) > 3 then ' and ' || len(names) - 3 || ' more' else '' end,
        ''
    ) as title,
    concat(
        format('{:,}', n_run), case when n_run = 1 then ' run' else ' runs' end, ' under ', format('{:,}', n_condition),
        case when n_condition = 1 then ' condition: ' else ' conditions: ' end, tasks, metrics
    ) as headline
from named
cross join own
cross join (select count(*) as n_run from registry.run)
cross join (
    select count(*) as n_condition, string_agg(distinct task, ', ' order by task) as tasks from condition
)
