/*
what: The runs of files whose rows are stored, with the number of these (in `$counted`). Their hash (content_sha256)
      follows.
*/
insert into load_run
select run_no, name, condition_no, owner, system, format, coalesce(n_row, 0), source_sha256, null, paths, hashes
from new_run
left join (
    select run_no, count(*) as n_row from query_table($counted) semi join new_run using (run_no) group by run_no
) using (run_no)
order by run_no
