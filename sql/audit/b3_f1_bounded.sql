/*
title:    B-CUBED F1 is at most the largest that precision allows
severity: error
inputs:   report.score
*/
select run_id, condition_id, profile_id, subset, weighting, a.value as b3_f1, b.value as b3_precision
from report.score as a
join report.score as b using (run_id, condition_id, profile_id, subset, weighting)
where a.metric = 'b3_f1' and b.metric = 'b3_precision'
    and a.value > 2 * b.value / (1 + b.value) + 1e-9
