/*
what: The stored runs of some files, each with its files, if all of these are stored in their present state; none if a
      file changed, or one of its runs was dropped or has other files.
*/
with input as (
    select cast($paths as varchar[]) as given, cast($hashes as varchar[]) as sha256, cast($how as varchar[]) as how
),

run as (
    select run_id, source_sha256, first_file_no, list_filter(given, lambda path: list_contains(paths, path)) as files
    from stored_run
    cross join input
    where condition_no = $condition and len(paths) > 0 and list_has_all(given, paths)
),

shared as (
    select path, count(*) as n_run from (select unnest(files) as path from run) group by path
),

counted as (
    select run_id, list(n_run order by nth) as n_run
    from (select run_id, unnest(files) as path, unnest(range(len(files))) as nth from run)
    join shared using (path)
    group by run_id
)

select run_id as name, files
from run
join counted using (run_id)
cross join input
qualify (select count(*) from shared) = len(list_distinct(given))
    and bool_and(source_sha256 = sha256(array_to_string(
        list_transform(
            list_concat(
                list_transform(
                    list_filter(range(1, len(given) + 1), lambda place: list_contains(files, given[place])),
                    lambda place: sha256[place]),
                files, cast(n_run as varchar[]), how),
            lambda part: strlen(part) || ':' || part),
        ''))) over ()
order by first_file_no
