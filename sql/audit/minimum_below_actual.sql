/*
title:    No threshold costs less than the best one
severity: error
inputs:   report.score
*/
select run_id, condition_id, profile_id, subset, weighting, a.value as min_c_det, b.value as act_c_det
from report.score as a
join report.score as b using (run_id, condition_id, profile_id, subset, weighting)
where a.metric = 'min_c_det' and b.metric = 'act_c_det'
    and a.value > b.value + 1e-9
