/*
what:   all {n:,} scores are equal: no threshold separates targets from non-targets
advice: Check the scores.
*/
select min(file) as file, null as line, min(score) as value, count(*) as n
from scored where trial_no is not null
having count(*) > 1 and min(score) = max(score)
