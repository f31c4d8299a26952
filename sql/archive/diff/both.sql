/*
title:    The contents of two archives side by side: each relation has the rows of both, with a column side, old or new
edges:    A run is renamed where the same rows have another name in the same condition; it has the new name on both
          sides.
*/
create view definition as
select 'old' as side, relation, token_sha256, closure_sha256 from old.registry.definition
union all select 'new', relation, token_sha256, closure_sha256 from new.registry.definition;

create view task_definition as
select 'old' as side, task, sha256 from old.registry.task_definition
union all select 'new', task, sha256 from new.registry.task_definition;

create view corpus as
select 'old' as side, corpus_no, corpus_id, content_sha256 from old.registry.corpus
union all select 'new', corpus_no, corpus_id, content_sha256 from new.registry.corpus;

create view condition as
select 'old' as side, * from old.registry.condition
union all by name select 'new' as side, * from new.registry.condition;

create view profile as
select 'old' as side, * from old.registry.profile union all by name select 'new' as side, * from new.registry.profile;

create view run as
select 'old' as side, run_no, condition_no, run_id, content_sha256, n_row from old.registry.run
union all select 'new', run_no, condition_no, run_id, content_sha256, n_row from new.registry.run;

create view withdrawal as
select 'old' as side, run_no, reason from old.registry.withdrawal
union all select 'new', run_no, reason from new.registry.withdrawal;

create view input_file as
select 'old' as side, owner, path, sha256 from old.registry.input_file
union all select 'new', owner, path, sha256 from new.registry.input_file;

create view loaded as
select side, subject, list(rows_of.key || rows_of.value order by rows_of.key) as rows_of
from (
    select 'old' as side, subject, detail from old.ledger.entry
    union all select 'new', subject, detail from new.ledger.entry
) as entry, json_each(entry.detail, '$.tables') as rows_of
where starts_with(rows_of.key, 'base.')
group by side, subject;

-- as in signatures
create view condition_hash as
select
    side, condition_no, condition_id, task,
    sha256(concat('64:', corpus.content_sha256, '64:', condition.content_sha256)) as sha256
from condition
join corpus using (side, corpus_no);

create view block_word as
select task, case when block in ('event', 'topic') then block else 'block' end as word, primary_metric
from new.registry.task;

-- a copy of a condition for second judgments has the runs of the condition itself
create table named_run as
select
    run.side, condition_id, run_id, run.content_sha256 as sha256, n_row, reason, files.paths, files.hashes,
    loaded.rows_of, run_id as old_id
from run
join condition using (side, condition_no)
left join (select side, condition_no as base_condition_no, condition_id as base_id from condition) as base
    using (side, base_condition_no)
left join withdrawal using (side, run_no)
left join (
    select side, owner, list(path order by path) as paths, list(sha256 order by sha256) as hashes
    from input_file
    group by side, owner
) as files
    on files.side = run.side and files.owner = 'run:' || base_id || '/' || run_id
left join loaded on loaded.side = run.side and loaded.subject = 'run:' || base_id || '/' || run_id;

create table renamed as
select condition_id, gone.run_id as old_id, twin.run_id as new_id, twin.sha256
from (
    from named_run anti join (from named_run where side = 'new') as other using (condition_id, run_id)
    where side = 'old'
) as gone
join (
    from named_run anti join (from named_run where side = 'old') as other using (condition_id, run_id)
    where side = 'new'
) as twin using (condition_id, rows_of)
qualify count(*) over (partition by condition_id, gone.run_id) = 1
    and row_number() over (partition by condition_id, twin.run_id order by gone.run_id) = 1;

-- the hash of a run covers its name
update named_run set run_id = new_id, sha256 = renamed.sha256
from renamed
where side = 'old' and named_run.condition_id = renamed.condition_id and named_run.run_id = renamed.old_id;

create view both_runs as
select
    coalesce(before.condition_id, now.condition_id) as condition_id, coalesce(before.run_id, now.run_id) as run_id,
    before, now
from (from named_run where side = 'old') as before
full join (from named_run where side = 'new') as now
    on now.condition_id = before.condition_id and now.run_id = before.run_id;

create table number as
select
    side, score.condition_id, coalesce(new_id, run_id) as run_id, profile_id, subset, weighting, block_id, metric, value
from (
    select 'old' as side, *, null as block_id from old.report.score
    union all by name select 'old' as side, * from old.report.block_score
    union all by name select 'new' as side, * from new.report.score
    union all by name select 'new' as side, * from new.report.block_score
) as score
left join renamed on side = 'old' and renamed.condition_id = score.condition_id and old_id = run_id;

create view both_numbers as
select
    condition_id, run_id, profile_id, subset, weighting, block_id, metric,
    max(value) filter (where side = 'old') as before,
    max(value) filter (where side = 'new') as now,
    count(distinct side) < 2 or before is distinct from now as is_other
from number
group by condition_id, run_id, profile_id, subset, weighting, block_id, metric;

create view other_hash as
select
    what, name,
    max(sha256) filter (where side = 'old') as before,
    max(sha256) filter (where side = 'new') as now,
    case
        when before is null then 'added'
        when now is null then 'removed'
        else format('changed ({} -> {})', before[:8], now[:8])
    end as change
from (
    select side, 'definition' as what, relation as name, token_sha256 as sha256 from definition
    union all select side, 'closure', relation, closure_sha256 from definition
    union all select side, 'task', task, sha256 from task_definition
    union all select side, 'corpus', corpus_id, content_sha256 from corpus
    union all select side, 'condition', condition_id, sha256 from condition_hash
)
group by what, name
having before is distinct from now;

-- what tdtsql and its surroundings were: `version` is filled from the files of the archives
create view other_version as
select
    name,
    max(value) filter (where side = 'old') as before,
    max(value) filter (where side = 'new') as now,
    min(position) as position
from version
group by name
having before is distinct from now;

-- values of profiles, and settings of conditions
create view other_value as
select
    what, owner, name,
    max(value) filter (where side = 'old') as before,
    max(value) filter (where side = 'new') as now,
    count(distinct side) as n_side
from (
    select 'profile' as what, profile_id as owner, side, name, value
    from (
        unpivot (
            select side, profile_id, coalesce(columns(* exclude (side, profile_id, profile_no))::varchar, 'none')
            from profile
        ) on columns(* exclude (side, profile_id)) into name name value value
    )
    union all
    select 'condition', condition_id, side, name, value
    from (
        unpivot (
            select
                side, condition_id,
                coalesce(columns(
                    * exclude (
                        side, condition_id, condition_no, corpus_no, base_condition_no, content_sha256, source_sha256,
                        is_partition
                    )
                )::varchar, 'none')
            from condition
        ) on columns(* exclude (side, condition_id)) into name name value value
    )
)
group by what, owner, name
having before is distinct from now;

create view cause as
select
    condition_id, run_id, profile_id,
    case
        when before.run_id is null then 'the run is not in the old archive'
        when now.run_id is null then 'the run is not in the new archive'
        else coalesce(
            nullif(concat_ws(
                ', ',
                case when before.sha256 <> now.sha256 then 'run' end,
                case
                    when condition_id in (select name from other_hash where what = 'condition')
                        then 'condition or judgments'
                end,
                case when profile_id in (select owner from other_value where what = 'profile') then 'profile' end,
                case when task in (select name from other_hash where what = 'task') then 'definitions' end
            ), ''),
            (select 'versions' from other_version where name in ('tdtsql', 'duckdb') limit 1),
            'other runs of the condition (' || others.listed || ')',
            'it was requested in one of them only'
        )
    end as because
from (select distinct condition_id, run_id, profile_id from number) as asked
join both_runs using (condition_id, run_id)
left join (from condition_hash where side = 'new') as now_condition using (condition_id)
left join (
    select condition_id, array_to_string(list(run_id order by run_id)[:3], ', ') as listed
    from both_runs
    where before.sha256 is distinct from now.sha256
    group by condition_id
) as others using (condition_id);

create view label as
select
    corpus_id, judgment_set,
    coalesce(topic_id, topic_no::varchar) as topic_id,
    coalesce(story_id, story_no::varchar) as story_id,
    max(label) filter (where side = 'old') as before,
    max(label) filter (where side = 'new') as now
from (
    select 'old' as side, * from old.base.judgment union all by name select 'new' as side, * from new.base.judgment
) as judgment
join corpus using (side, corpus_no)
left join (
    select 'old' as side, corpus_no, topic_no, topic_id from old.base.topic
    union all select 'new', corpus_no, topic_no, topic_id from new.base.topic
) as topic using (side, corpus_no, topic_no)
left join (
    select 'old' as side, corpus_no, story_no, story_id from old.base.story
    union all select 'new', corpus_no, story_no, story_id from new.base.story
) as story using (side, corpus_no, story_no)
group by all
having before is distinct from now;
