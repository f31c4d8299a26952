/*
title:    Every number of every run, as far as it is up to date
source:   the relations named in registry.metric
inputs:   ledger.result_score, ledger.current_computation, base.subset, registry.definition,
          registry.package, registry.published
grain:    run_id, condition_id, profile_id, subset, metric, weighting
columns:
    run_id        key     run
    task          text    task of its condition
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    subset        key     all, or what the number is conditioned on
    metric        key     metric id
    weighting     key     topic, topic_all, story, group, weight or none
    value         double  the number; NULL where it is undefined
    n             count   blocks that entered a mean, trials behind a pooled number
    version       text    version of the metric
    signature     text    short signature of the score
    null_reason   text    why the number is NULL; NULL where there is one
edges:    A number whose inputs, profile or definition have changed since it was
          computed is not here; report.stale names its run.
class:    exact
see also: block_score, stale
*/
select
    run_id, task, condition_id, profile_id, subset, metric, weighting, value, n, version,
    metric || ':' || version || '|w:' || weighting || '|profile:' || profile_id || '|subset:' || subset
        || case when weighting in ('topic', 'topic_all') then '|topics:' else '|n:' end || cast(n as varchar)
        || '|sql:' || substr(coalesce(closure_sha256, definition_sha256), 1, 8)
        || '|judgments:' || substr(condition_sha256, 1, 8) || '|run:' || substr(run_sha256, 1, 8)
        || coalesce('|pkg:' || package, '') || '|tdtsql:' || tdtsql_version || '|duckdb:' || duckdb_version
        as signature,
    null_reason
from ledger.result_score join ledger.current_computation using (computation_no)
join base.subset using (condition_no, subset_no)
left join (
    select published.metric, published.version, definition.closure_sha256
    from registry.published join registry.definition using (relation)
    where owner = 'own' and grain = 'score'
) as own_metric
    using (metric, version)
left join (select task, package || '-' || version as package from registry.package) as brought using (task)
