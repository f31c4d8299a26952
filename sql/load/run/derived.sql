/*
what: A run that is derived from runs in the store, under the number that it gets (`new_run`).
*/
create or replace temp table new_run as
select
    cast($run as integer) as run_no, cast(null as varchar) as run_id, $name as name,
    cast($condition as integer) as condition_no, $owner as owner, cast(null as varchar) as system, $format as format,
    $source as source_sha256, cast([] as varchar[]) as paths, cast([] as varchar[]) as hashes, '' as extent
