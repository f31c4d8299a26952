/*
title:    A topic has no more hits than targets
severity: error
inputs:   report.block_score
*/
select run_id, condition_id, profile_id, subset, block_id, a.value as n_hit, b.value as n_target
from report.block_score as a
join report.block_score as b using (run_id, condition_id, profile_id, subset, block_id)
where a.metric = 'n_hit' and b.metric = 'n_target'
    and a.value > b.value
