/*
title:    Every number of every run, as far as it is up to date
source:   the relations named in registry.metric
inputs:   ledger.result_score, ledger.computation, ledger.current_computation, registry.run, registry.condition, registry.profile, base.subset
grain:    run_id, condition_id, profile_id, subset, metric, weighting
columns:
    run_id        key     run
    task          text    task of its condition
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    subset        key     all, or what the number is conditioned on
    metric        key     metric id
    weighting     key     topic, topic_all, story or none
    value         double  the number; NULL where it is undefined
    n             count   blocks that entered a mean, trials behind a pooled number
    version       text    version of the metric
    signature     text    short recipe of the number
edges:    A number whose inputs, profile or definition have changed since it was
          computed is not here; report.stale names its run.
class:    exact
see also: block_score, stale
*/
select
    run.run_id as run_id,
    condition.task as task,
    condition.condition_id as condition_id,
    profile.profile_id as profile_id,
    subset.subset as subset,
    result.metric as metric,
    result.weighting as weighting,
    result.value as value,
    result.n as n,
    result.version as version,
    result.metric || ':' || result.version
        || '|w:' || result.weighting
        || '|profile:' || profile.profile_id
        || '|subset:' || subset.subset
        || case when result.weighting in ('topic', 'topic_all') then '|topics:' else '|n:' end || cast(result.n as varchar)
        || '|sql:' || substr(computation.definition_sha256, 1, 8)
        || '|judgments:' || substr(condition.content_sha256, 1, 8)
        || '|run:' || substr(run.content_sha256, 1, 8)
        || '|tdtsql:' || computation.tdtsql_version
        || '|duckdb:' || computation.duckdb_version as signature
from ledger.result_score as result
inner join ledger.current_computation as newest
    on newest.computation_no = result.computation_no
inner join ledger.computation as computation
    on computation.computation_no = result.computation_no
inner join registry.run as run
    on run.run_no = computation.run_no
inner join registry.condition as condition
    on condition.condition_no = run.condition_no
inner join registry.profile as profile
    on profile.profile_no = computation.profile_no
inner join base.subset as subset
    on subset.condition_no = run.condition_no
    and subset.subset_no = result.subset_no
