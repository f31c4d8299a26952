/*
title:    A topic's minimum cost is at most its actual cost, unless decisions follow no threshold
severity: warning
inputs:   registry.profile, report.block_score
edges:    A system whose yes and no follow no threshold may beat every threshold.
*/
select run_id, condition_id, profile_id, subset, block_id, a.value as min_c_det, b.value as c_det
from report.block_score as a
join report.block_score as b using (run_id, condition_id, profile_id, subset, block_id)
where a.metric = 'min_c_det' and b.metric = 'c_det'
    and a.value > b.value + 1e-9
    and profile_id in (select profile_id from registry.profile where det_rule = 'complete')
