/*
what:   {n_unknown} of {n} updates of run {run} are in no pool: their length is unknown, and their verbosity 1
        under the metrics document
*/
-- where a profile scores them anyway
select arg_min(file, place) as file, null as line, null as value, run_id as run, count(*) as n,
    count(*) - sum(coalesce(is_pooled, 0)) as n_unknown
from run_row
where block_no is not null and exists (
    from registry.condition_profile join registry.profile using (profile_no)
    where condition_no = $condition and unpooled = 'unknown_length')
group by run_id
having n_unknown > 0
