/*
title:  Hash of the current inputs of the numbers of each run: the run, its condition, its corpus; other runs that these
        depend on, and what follows from them (following: tables); products of subsets, thresholds from other
        conditions, and user-defined metrics
*/
with

named as (
    select
        run_no, condition_no, task,
        [run.content_sha256, condition.content_sha256, corpus.content_sha256] as own,
        if(
            is_scored_together = 1,
            list(run.content_sha256 order by run.content_sha256) over (partition by condition_no), []
        ) as together,
        condition_id
    from registry.run
    join registry.condition using (condition_no)
    join registry.corpus using (corpus_no)
    left join registry.task using (task)
),

followed as (
    select owner, name, max_by(sha256, entry_no) as sha256
    from ledger.content
    where until_no is null and list_contains($following, name)
    group by owner, name
),

followed_of as (
    select owner, list(sha256 order by name) as hashes
    from followed
    group by owner
),

product as (
    select condition_no, list(subset order by subset) as subsets
    from base.subset
    where kind = 'product'
    group by condition_no
),

carried as (
    select run_no, list(source_sha256 order by source_sha256) as hashes
    from ledger.carried_source
    group by run_no
),

own_metric as (
    select task, list(closure_sha256 order by name, version) as hashes
    from (select name, version, closure_sha256, unnest(string_split(tasks, ' ')) as task from registry.own_metric)
    group by task
)

select
    run_no,
    sha256(array_to_string(list_transform(
        flatten([own, together, followed_of.hashes, subsets, carried.hashes, own_metric.hashes]),
        lambda part: concat(strlen(part), ':', part)
    ), '')) as sha256
from named
left join followed_of on owner = 'condition:' || condition_id
left join product using (condition_no)
left join carried using (run_no)
left join own_metric using (task)
order by run_no
