/*
what: The runs of files whose rows are stored. The hash of these rows (content_sha256) follows.
*/
insert into load_run
select
    run_no, name, condition_no, owner, system, format, n_row, source_sha256, null, paths, hashes
from new_run
