/*
what: A run whose rows are stored. The hash of these rows (content_sha256) follows.
*/
insert into load_run
values ($run, $run_id, $condition, $owner, $system, $format, $n_row, $source, null, $paths, $hashes)
