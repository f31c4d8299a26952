/*
what: The runs of a load in the registry. One with the rows that it had before keeps its number and its results.
*/
update registry.run set
    source_sha256 = coalesce(made.source_sha256, made.content_sha256),
    format = made.format,
    system = made.system
from load_run as made
join replaced_run using (run_no)
where is_same and not is_unchanged and run.run_no = before_no;

insert into registry.run (
    run_no, run_id, condition_no, system, format, n_row, content_sha256, source_sha256
)
select
    run_no, run_id, condition_no, system, format, n_row, content_sha256, coalesce(source_sha256, content_sha256)
from load_run
where run_no not in (select run_no from replaced_run where is_same)
order by run_no
