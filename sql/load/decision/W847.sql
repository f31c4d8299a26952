/*
what:   {n:,} {stories} of the test set {have} no decision
advice: {they} as no with the score -9e99.
*/
select $file as file, null as line, null as value, count(*) as n, if(n = 1, 'story', 'stories') as stories,
    if(n = 1, 'has', 'have') as have, if(n = 1, 'It counts', 'They count') as they
from base.segment_story
where condition_no = $condition and story_no not in (select trial_no from base.decision where run_no = $run)
having n > 0
