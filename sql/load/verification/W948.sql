/*
what:   {value:,} {scores} of trials that the key does not have {are} left out ({option})
advice: Check the number.
*/
select 0 as file, null as line, count(*) as value, if(value = 1, 'score', 'scores') as scores,
    if(value = 1, 'is', 'are') as are, $option as option
from scored
where trial_no is null and exists (from scored where trial_no is not null)
having count(*) > 0
