/*
title:    Scores are unique per run, profile, subset, metric and weighting
severity: error
inputs:   report.score
*/
select run_id, condition_id, profile_id, subset, metric, weighting, version, count(*) as n_row
from report.score
group by all
having count(*) > 1
