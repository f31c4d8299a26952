/*
what: The runs of some files, under the numbers that they get (`new_run`), but those without a name.
*/
-- run_id is the name in the files, NULL where these name none; file is the first of its files; shown the name that
-- problems say, where its files have other runs, too; source_sha256 covers its files, how many runs are in each, and
-- how they are read: without hashes, of columns, it is NULL
create or replace temp table new_run as
with input as (
    select cast($paths as varchar[]) as given, cast($hashes as varchar[]) as sha256, cast($how as varchar[]) as how,
        cast($read as struct(path varchar, sha256 varchar)[]) as inputs
),

run as (
    select place, run.run_id, coalesce($name, run.run_id, $called) as name,
        if(run.run_id is null, given, run.files) as files
    from (
        select unnest(cast($runs as struct(run_id varchar, files varchar[])[])) as run,
            unnest(range(len($runs))) as place
    )
    cross join input
    where name is not null and ($name is null or place = 0)
),

shared as (
    select path, count(*) as n_run from (select unnest(files) as path from run) group by path
),

counted as (
    select place, list(n_run order by nth) as n_run
    from (select place, unnest(files) as path, unnest(range(len(files))) as nth from run)
    join shared using (path)
    group by place
)

select cast($next_no + row_number() over (order by place) - 1 as integer) as run_no, run_id, name,
    cast($condition as integer) as condition_no, 'run:' || $condition_id || '/' || name as owner,
    cast($system as varchar) as system, $format as format,
    if(
        len(sha256) = 0, null, sha256(array_to_string(
            list_transform(
                list_concat(
                    list_transform(
                        list_filter(range(1, len(given) + 1), lambda place: list_contains(files, given[place])),
                        lambda place: sha256[place]),
                    files, cast(n_run as varchar[]), how),
                lambda part: strlen(part) || ':' || part),
            ''))) as source_sha256,
    list_transform(list_filter(inputs, lambda one: list_contains(files, one.path)), lambda one: one.path) as paths,
    list_transform(list_filter(inputs, lambda one: list_contains(files, one.path)), lambda one: one.sha256) as hashes,
    list_position(given, files[1]) - 1 as file, len(files) as n_file,
    if(list_max(n_run) > 1, name, null) as shown, files, '' as extent
from run
join counted using (place)
cross join input
order by place
