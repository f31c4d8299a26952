/*
title:  a run that is not read again, although topics or trials of its condition changed
what:   its topics or trials changed, and {those} not read again, so their rows would count for others: {listed}
advice: Add each to the bundle, or drop it: tdtsql run drop {first} --condition {condition}
*/
with run as (
    select condition_id, run_id, format('{} ({})', run_id,
            coalesce(string_agg(path, ', ' order by input_file_no), any_value(format))) as said
    from registry.run
    join registry.condition using (condition_no)
    left join registry.input_file on owner = 'run:' || condition_id || '/' || run_id
    where list_contains(cast($conditions as varchar[]), condition_id)
        and not list_contains(cast($read as varchar[]), 'run:' || condition_id || '/' || run_id)
    group by condition_id, run_id
)

select list_position(cast($conditions as varchar[]), condition_id) - 1 as file, null as line, null as value,
    condition_id as condition, min(run_id) as first,
    if(count(*) = 1, format('run {} is', first), format('{} runs are', count(*))) as those,
    array_to_string(list(said order by run_id)[:12], ', ')
        || if(count(*) > 12, format(' and {:,} more', count(*) - 12), '') as listed
from run
group by condition_id
