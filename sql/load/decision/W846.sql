/*
what:   {n:,} {decisions} {are} on stories outside the test set
advice: They have no effect.
*/
select file, null as line, shown as run, null as value, count(*) as n, if(n = 1, 'decision', 'decisions') as decisions,
    if(n = 1, 'is', 'are') as are
from base.decision
join new_run using (run_no)
anti join (select story_no as trial_no from base.segment_story where condition_no = $condition) using (trial_no)
group by run_no, file, shown
order by run_no
