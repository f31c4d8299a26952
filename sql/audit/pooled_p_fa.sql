/*
title:    Pooled p_fa is false alarms by non-targets
severity: error
inputs:   report.score
*/
select run_id, condition_id, profile_id, subset, weighting, a.value as p_fa, b.value as n_false_alarm
from report.score as a
join report.score as b using (run_id, condition_id, profile_id, subset, weighting)
where a.metric = 'p_fa' and b.metric = 'n_false_alarm'
    and weighting = 'story' and abs(a.value * a.n - b.value) > 1e-9 * (1 + b.value)
