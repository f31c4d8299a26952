/*
title:    Pooled F1 is between precision and recall
severity: error
inputs:   report.score
*/
select run_id, condition_id, profile_id, subset, weighting, a.value as f1, b.value as precision
from report.score as a
join report.score as b using (run_id, condition_id, profile_id, subset, weighting)
where a.metric = 'f1' and b.metric = 'precision'
    and weighting = 'story' and a.value > 2 * b.value / (1 + b.value) + 1e-9
