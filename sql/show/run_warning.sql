/*
title:  The warnings that were accepted in runs
*/
select code, path, line, column_no, message, value
from registry.problem
where owner in (
        select 'run:' || condition_id || '/' || run_id
        from registry.run
        join registry.condition using (condition_no)
        where list_contains($runs, run_no)
    )
order by path, line, code
