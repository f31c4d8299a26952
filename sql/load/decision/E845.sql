/*
what:   {n:,} decision{s} of {of_run} {are} also in another of its files, the first in {path}
advice: Keep one of the two.
*/
select files[-1] as file, null as line, 'topic ' || block_id as value, $run_id as run, n, s, are, of_run,
    $paths[files[1] + 1] as path
from decision_repeated
