/*
title:    Pooled p_miss is misses by targets
severity: error
inputs:   report.score
*/
select run_id, condition_id, profile_id, subset, weighting, a.value as p_miss, b.value as n_miss
from report.score as a
join report.score as b using (run_id, condition_id, profile_id, subset, weighting)
where a.metric = 'p_miss' and b.metric = 'n_miss'
    and weighting = 'story' and abs(a.value * a.n - b.value) > 1e-9 * (1 + b.value)
