/*
title:    A topic has no more false alarms than non-targets
severity: error
inputs:   report.block_score
*/
select run_id, condition_id, profile_id, subset, block_id, a.value as n_false_alarm, b.value as n_nontarget
from report.block_score as a
join report.block_score as b using (run_id, condition_id, profile_id, subset, block_id)
where a.metric = 'n_false_alarm' and b.metric = 'n_nontarget'
    and a.value > b.value
