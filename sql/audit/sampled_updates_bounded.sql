/*
title:    No more sampled updates than updates
severity: error
inputs:   report.score
*/
select run_id, condition_id, profile_id, subset, weighting, a.value as n_sampled_update, b.value as n_update
from report.score as a
join report.score as b using (run_id, condition_id, profile_id, subset, weighting)
where a.metric = 'n_sampled_update' and b.metric = 'n_update'
    and a.value > b.value
