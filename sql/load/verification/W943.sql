/*
what:   {n:,} {scores} infinite
advice: They are stored unchanged.
*/
select file, line, decision.score as value, n, if(n = 1, 'score is', 'scores are') as scores
from (
    select *, count(*) over (partition by run_no) as n
    from base.decision
    semi join new_run using (run_no)
    where isinf(score)) as decision
join scored using (run_no, trial_no)
qualify row_number() over (partition by run_no order by file, line) = 1
