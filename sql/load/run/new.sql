/*
what: The runs of some files, under the numbers that they get (`new_run`).
*/
-- run_id is the name in the files, NULL where these name none; file is the first of its files; shown the name that
-- problems say, where its files have other runs, too
create or replace temp table new_run as
select run.*, '' as extent
from (
    select unnest(cast($runs as struct(
        run_no integer, run_id varchar, name varchar, condition_no integer, owner varchar, system varchar,
        format varchar, source_sha256 varchar, paths varchar[], hashes varchar[], file integer,
        n_file integer, shown varchar
    )[])) as run
)
