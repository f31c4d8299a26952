/*
what:   {n} runs in one file, {listed}
advice: Is one of the names a typing mistake?
*/
with own as (
    select run_no, format('''{}'' ({})', name, extent) as said, unnest(paths) as path from new_run
)

select
    $code as code, list_position($paths, path) - 1 as file, null as line, null as value, count(*) as n,
    array_to_string(list(said order by run_no)[:5], ', ') || if(n > 5, format(' and {:,} more', n - 5), '') as listed
from own
group by path
having n > 1
