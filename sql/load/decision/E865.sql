/*
what:   {n:,} document{s} of {of_run} {are} repeated for one topic in another of its files, {path}
advice: Give each document once, or each run its own tag.
*/
select files[-1] as file, null as line, 'topic ' || block_id as value, $run_id as run, n, s, are, of_run,
    $paths[files[1] + 1] as path
from decision_repeated
