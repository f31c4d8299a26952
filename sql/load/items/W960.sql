/*
what:   {of_run} has no score for {items}: {listed}
advice: {advised}
*/
select
    file, null as line, null as value, run_id as run,
    coalesce('the run ''' || coalesce(run_id, $called) || '''', 'the run') as of_run,
    format('{:,} item', n_item) || if(n_item = 1, '', 's') as items,
    listed || if(n_item > n, ', ...', '') as listed,
    if($missing_item = 'error', 'E966', 'W960') as code,
    if($missing_item = 'error', 'Complete the run, or missing_item = "drop" of the condition.',
        'They are in no mean but that over all items.') as advised
from (
    select
        run_place, max(n_item) as n_item, count(*) as n,
        string_agg('''' || item_id || '''', ', ' order by number) as listed
    from items_missing
    group by run_place
)
join items_run using (run_place)
order by run_place
