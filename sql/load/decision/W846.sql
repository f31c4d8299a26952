/*
what:   {n:,} {decisions} {are} on stories outside the test set
advice: They have no effect.
*/
select $file as file, null as line, null as value, count(*) as n, if(n = 1, 'decision', 'decisions') as decisions,
    if(n = 1, 'is', 'are') as are
from base.decision
where run_no = $run and trial_no not in (select story_no from base.segment_story where condition_no = $condition)
having n > 0
