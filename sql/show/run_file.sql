/*
title:  The files of runs
*/
select owner, kind, path, n_byte, n_problem, sha256
from registry.input_file
where owner in (
        select 'run:' || condition_id || '/' || run_id
        from registry.run
        join registry.condition using (condition_no)
        where list_contains($runs, run_no)
    )
order by owner, path
