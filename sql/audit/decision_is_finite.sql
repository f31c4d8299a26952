/*
title:    Scores of decisions are finite, and 0 has no sign; those of trials of a key may be infinite
severity: error
inputs:   base.decision, registry.condition, registry.run, registry.task
*/
select decision.*
from base.decision
join registry.run using (run_no)
join registry.condition using (condition_no)
join registry.task using (task)
where isnan(decision.score) or (isinf(decision.score) and decides_on <> 'trial')
    or cast(decision.score as varchar) = '-0.0'
limit 1000
