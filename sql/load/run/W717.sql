/*
what:   {n} runs in one file, {listed}
advice: Is one of the names a typing mistake? Give each run its own file.
*/
-- a mistyped name takes rows from another run; runs that answer the same are a table of systems
with own as (
    select run_no, format('''{}'' ({})', name, extent) as said, unnest(paths) as path from new_run
),

answer as (
    select run_no, block_no, trial_no from base.decision semi join new_run using (run_no)
    union all
    select run_no, block_no, 0 from base.item_score semi join new_run using (run_no)
    union all
    select run_no, 0, item_no from base.partition_answer semi join new_run using (run_no)
),

other as (
    select path
    from own
    join answer using (run_no)
    join (select run_no, count(distinct (block_no, trial_no)) as n from answer group by run_no) using (run_no)
    group by path
    having count(distinct (block_no, trial_no)) > min(n)
)

select
    $code as code, list_position($paths, path) - 1 as file, null as line, null as value, count(*) as n,
    array_to_string(list(said order by run_no)[:5], ', ') || if(n > 5, format(' and {:,} more', n - 5), '') as listed
from own
where $code = 'E717' or path in (select path from other)
group by path
having n > 1
