/*
title:    A normalised minimum is at most 1: accept all or reject all costs no more
severity: error
inputs:   registry.profile, report.score
*/
select score.*
from report.score
join registry.profile using (profile_id)
where score.metric = 'min_c_det_norm' and score.value > 1 + 1e-9 and det_rule = 'complete'
