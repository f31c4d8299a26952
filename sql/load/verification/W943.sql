/*
what:   {n:,} {scores} infinite
advice: They are stored unchanged.
*/
select file, line, decision.score as value, n, if(n = 1, 'score is', 'scores are') as scores
from (select *, count(*) over () as n from base.decision where run_no = $run and isinf(score)) as decision
join scored using (trial_no)
qualify row_number() over (order by file, line) = 1
