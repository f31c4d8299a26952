/*
title:       Answers of a run
question:    How often does a run give each answer?
about:       runs
inputs:      asked.answer, registry.run
parameters:
    run  run  needed  the run
grain:       answer
columns:
    answer  key    the answer
    n_pair  count  pairs
order:       By answer.
see also:    leaderboard
*/
select answer, count(*) as n_pair
from asked.answer
join registry.run using (run_no)
where run_id = $run
group by answer
order by answer
