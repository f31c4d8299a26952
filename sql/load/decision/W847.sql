/*
what:   {n:,} {stories} of the test set {have} no decision
advice: {they} as no with the score -9e99.
*/
select file, null as line, shown as run, null as value, count(*) as n, if(n = 1, 'story', 'stories') as stories,
    if(n = 1, 'has', 'have') as have, if(n = 1, 'It counts', 'They count') as they
from new_run
cross join (select story_no as trial_no from base.segment_story where condition_no = $condition)
anti join (from base.decision semi join new_run using (run_no)) as decided using (run_no, trial_no)
group by run_no, file, shown
order by run_no
