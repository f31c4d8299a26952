/*
what:   run {run} has no update on {n} {events}
advice: A mean over all events (weighting topic_all) counts what is missing.
*/
select file, null as line, string_agg(block_id, ', ' order by block_no) as value, run_id as run, count(*) as n,
    if(n = 1, 'event', 'events') as events
from (select run_id, arg_min(file, place) as file from run_row group by run_id)
cross join (select block_no, block_id from base.block where condition_no = $condition and is_scored = 1) as block
where (run_id, block_no) not in (select (run_id, block_no) from run_row where block_no is not null)
group by file, run_id
