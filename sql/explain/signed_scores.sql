/*
title:    Every number with its long signature but for the value, and the parts of it
*/
with

score as (
    select run_id, condition_id, task, profile_id, subset, metric, version, weighting, null as block_id, value, n
    from report.score
    union all
    select run_id, condition_id, task, profile_id, subset, metric, version, 'block', block_id, value, null
    from report.block_score
),

-- metric, version and grain of user-defined metrics: the hash of their definition
own as (
    select metric, published.version, if(grain = 'block', 'block', '') as grain, closure_sha256
    from registry.published
    join registry.definition using (relation)
    where owner = 'own'
)

select
    score.run_id, score.condition_id, score.metric, score.version, weighting, score.profile_id, subset, block_id, value,
    n, run_no,
    coalesce(closure_sha256, definition_sha256) as "sql", condition_sha256 as judgments, run_sha256 as run,
    coalesce('|pkg:' || package || '-' || registry.package.version, '') as package_part,
    newest.tdtsql_version as tdtsql, newest.duckdb_version as duckdb,
    concat_ws(
        '|', score.metric || ':' || score.version, 'w:' || weighting, 'profile:' || score.profile_id,
        'subset:' || subset, if(weighting in ('topic', 'topic_all'), 'topics:', 'n:') || n,
        'sql:' || "sql", 'judgments:' || condition_sha256, 'run:' || run_sha256 || package_part,
        'tdtsql:' || tdtsql_version, 'duckdb:' || duckdb_version, 'condition:' || score.condition_id,
        'id:' || score.run_id
    ) as long
from score
join ledger.current_computation as newest using (run_id, condition_id, profile_id)
left join own
    on own.metric = score.metric and own.version = score.version
        and own.grain = if(weighting = 'block', 'block', '')
left join registry.package on registry.package.task = score.task
