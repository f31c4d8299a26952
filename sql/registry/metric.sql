/*
title:    The metrics that views publish
source:   the headers of the views; ids with the names of measures of the loaded conditions
inputs:   registry.published, base.item_measure, base.item_k
grain:    metric, relation, grain
columns:
    metric       key   metric id
    relation     key   the view that computes it
    grain        key   score (a number of the run) or block (a number of one block)
    version      text  version of the view
    best         text  lowest, highest or none
    unit         text  unit or range
    title        text  in words
    column_name  text  the column of the view that has its values
edges:    A measure of several conditions is here once: it is better at the same end in all of them.
class:    exact
see also: report.score
*/
with

measure as (
    select measure, max(is_lower_better) as is_lower_better
    from base.item_measure
    group by measure
),

drawn as (
    select distinct measure, k
    from base.item_measure
    join base.item_k using (condition_no)
),

made as (
    select metric, relation, grain, version, best, unit, title, column_name
    from registry.published
    where metric not like '%{%'
    union all
    select
        replace(metric, '{measure}', measure) as metric, relation, grain, version,
        replace(best, '{best}', case when is_lower_better = 1 then 'lowest' else 'highest' end) as best,
        unit, title, column_name
    from registry.published
    cross join measure
    where metric like '%{measure}%' and metric not like '%{k}%'
    union all
    select
        replace(replace(metric, '{measure}', measure), '{k}', cast(k as varchar)) as metric,
        relation, grain, version, best, unit, title, column_name
    from registry.published
    cross join drawn
    where metric like '%{k}%'
)

select metric, relation, grain, version, best, unit, title, column_name
from made
