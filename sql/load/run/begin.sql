/*
what: The runs of a load (`load_run`), none at first; those of the store with their files (`stored_run`); the names
      of all that the store will have (`known_run`); and rows of files that name no run (`unnamed_row`), none.
*/
create or replace temp table load_run (
    run_no integer,
    run_id varchar,
    condition_no integer,
    owner varchar,
    system varchar,
    format varchar,
    n_row bigint,
    source_sha256 varchar,
    content_sha256 varchar,
    paths varchar[],
    hashes varchar[]
);

create or replace temp table stored_run as
select
    run.*,
    owner,
    coalesce(paths, []) as paths,
    coalesce(hashes, []) as hashes,
    first_file_no,
    case
        when len(paths) > 3
            then array_to_string(paths[:3], ', ')
                || printf(' and %d more file%s', len(paths) - 3, if(len(paths) = 4, '', 's'))
        when paths is not null then array_to_string(paths, ', ')
        else if(format = 'calibrated', format, 'columns')
    end as origin
from (
    select run.*, 'run:' || condition_id || '/' || run_id as owner
    from registry.run
    join registry.condition using (condition_no)
) as run
left join (
    select
        owner,
        list(path order by input_file_no) as paths,
        list(sha256 order by input_file_no) as hashes,
        min(input_file_no) as first_file_no
    from registry.input_file
    group by owner
) using (owner);

create or replace temp table unnamed_row (file integer, line bigint, run_id varchar);

create or replace temp view known_run as
select run_no, run_id, condition_no from load_run
union all
select run_no, run_id, condition_no
from registry.run
where (run_id, condition_no) not in (select (run_id, condition_no) from load_run)
