/*
what:   all {n:,} scores are equal: no threshold separates targets from non-targets
advice: Check the scores.
*/
select min(scored.file) as file, null as line, shown as run, min(score) as value, count(*) as n
from scored
join new_run using (run_no)
where trial_no is not null
group by run_no, shown
having count(*) > 1 and min(score) = max(score)
order by run_no
