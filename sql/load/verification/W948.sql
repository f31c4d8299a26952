/*
what:   {value:,} {scores} of trials that the key does not have {are} left out ({option})
advice: Check the number.
*/
select file, null as line, shown as run, count(*) as value, if(value = 1, 'score', 'scores') as scores,
    if(value = 1, 'is', 'are') as are, $option as option
from (select run_no from scored where trial_no is null and run_no in (
    select run_no from scored where trial_no is not null))
join new_run using (run_no)
group by run_no, file, shown
order by run_no
