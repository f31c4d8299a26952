/*
what: Which problems, by their number, a run of `new_run` has: those of its lines, and of its files as a whole. The rows
      of the files (file, line, run_id) are `named_row`.
*/
with problem as (
    select one.nth, one.path, one.line, one.run, list_position($paths, one.path) - 1 as file
    from (select unnest(cast($problems as struct(nth bigint, path varchar, line bigint, run varchar)[])) as one)
),

of_line as (
    select distinct file, line, run_id from named_row semi join problem using (file, line)
)

select run_no, nth
from new_run
join problem on list_contains(files, path) and (run is null or run = run_id)
where run_id is null or line is null or run <> ''
    or (problem.file, line, run_id) in (select (file, line, run_id) from of_line)
order by nth
