/*
what:   run {run} has {n} duplicate {updates}: each counts every time, and adds no gain after the first
advice: Submit each update of an event once.
*/
select arg_min(file, place) as file, arg_min(line, place) as line, arg_min(update_id, place) as value, run_id as run,
    count(*) as n, if(n = 1, 'update', 'updates') as updates
from (
    select *, row_number() over (partition by run_id, block_no, update_id order by place) as nth
    from run_row
    where block_no is not null)
where nth > 1
group by run_id
