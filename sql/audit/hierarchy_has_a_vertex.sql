/*
title:    The depth of a hierarchy is at most its number of vertices
severity: error
inputs:   report.score
*/
select run_id, condition_id, profile_id, subset, weighting, a.value as depth, b.value as n_vertex
from report.score as a
join report.score as b using (run_id, condition_id, profile_id, subset, weighting)
where a.metric = 'depth' and b.metric = 'n_vertex'
    and (b.value < 1 or a.value >= b.value + 1)
