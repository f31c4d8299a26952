/*
what: The runs of the store that those of a load replace (`replaced_run`). What users said of one stays with its name:
      its labels, and that it is withdrawn until it is restored.
*/
update load_run set content_sha256 = hash.content_sha256
from (select unnest($runs) as run_no, unnest($contents) as content_sha256) as hash
where hash.run_no = load_run.run_no;

-- the same files under another key or gold are not another submission; under other options they are
create or replace temp table replaced_run as
with loaded as (
    select unnest(cast($loaded as varchar[])) as owner
)

select
    run.run_no,
    before.run_no as before_no,
    run.owner,
    before.content_sha256 = run.content_sha256 as is_same,
    (run.source_sha256, run.format, run.system)
    is not distinct from (before.source_sha256, before.format, before.system) as is_unchanged,
    len(run.paths) > 0
    and (run.paths, run.hashes) = (before.paths, before.hashes)
    and (
        condition in (select owner from loaded)
        or exists (select 1 from loaded where starts_with(owner, 'corpus:'))
    ) as is_read_again,
    format(
        'run {} of {} is replaced (was {}, {:,} row{}; now {}, {:,} row{}){}',
        run_id, condition[11:],
        before.origin, before.n_row, if(before.n_row = 1, '', 's'),
        if(run.paths = [], 'columns', array_to_string(run.paths[:3], ', ')), run.n_row, if(run.n_row = 1, '', 's'),
        if(before.run_no in (select run_no from registry.withdrawal), ' and stays withdrawn', '')
    ) as said
from load_run as run
join stored_run as before using (run_id, condition_no, owner)
join (
    select condition_no, 'condition:' || condition_id as condition from registry.condition
) using (condition_no)
order by run.run_no;

insert into registry.withdrawal (run_no, withdrawn_at, reason)
select replaced.run_no, withdrawn_at, reason
from registry.withdrawal
join replaced_run as replaced on withdrawal.run_no = before_no
where not is_same;

insert into registry.run_fact (run_no, fact_no, name, value, path, sha256)
select replaced.run_no, row_number() over (partition by replaced.run_no order by name), name, value, '', ''
from registry.run_fact
join replaced_run as replaced on run_fact.run_no = before_no
where not is_same and path = '' and name in ('team', 'alias')
