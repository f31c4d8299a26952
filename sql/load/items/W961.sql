/*
what:   {n_unscored:,} of {n_sample} of {of_run} {have} no score and {are} in no mean
advice: Check the number.
*/
select
    own.file, line, null as value, n_unscored, run_id as run,
    coalesce('the run ''' || coalesce(run_id, $called) || '''', 'the run') as of_run,
    format('{:,} ', n) || if(n = 1, 'sample', 'samples') as n_sample,
    if(n_unscored = 1, 'has', 'have') as have, if(n_unscored = 1, 'is', 'are') as are
from (
    select
        run_place, arg_min(file, (file, line)) filter (not is_scored) as file,
        arg_min(line, (file, line)) filter (not is_scored) as line,
        count(*) as n, count(*) filter (not is_scored) as n_unscored
    from items_numbered
    group by run_place
) as own
join items_run using (run_place)
where n_unscored > 0
order by run_place
