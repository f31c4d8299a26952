/*
title:    Targets are hits and misses
severity: error
inputs:   report.score
*/
select
    run_id, condition_id, profile_id, subset, weighting,
    max(value) filter (metric = 'n_target') as n_target,
    sum(value) filter (metric <> 'n_target') as parts
from report.score
where metric in ('n_target', 'n_hit', 'n_miss')
group by all
having count(value) = 3 and n_target is distinct from parts
