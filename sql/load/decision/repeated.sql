/*
what: Decisions of a run that two of its files have, by one of them; those of one file were reported with it.
*/
with own as (
    select file, block_no, trial_no, document
    from decided
    where unknown is null and run_id is not distinct from $run_id
)

select block_id, list(distinct file order by file) as files, count(*) over () as n, if(n = 1, '', 's') as s,
    if(n = 1, 'is', 'are') as are, if($run_id is null, 'the run', format('run ''{}''', $run_id)) as of_run
from own
left join (select block_id, block_no from base.block where condition_no = $condition) using (block_no)
where block_no in (select block_no from own group by block_no having min(file) < max(file))
group by block_no, block_id, trial_no, document having count(*) > 1
order by block_no, trial_no, document
limit 1
