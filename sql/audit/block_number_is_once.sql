/*
title:    Scores of blocks are unique
severity: error
inputs:   report.block_score
*/
select run_id, condition_id, profile_id, subset, block_id, metric, version, count(*) as n_row
from report.block_score
group by all
having count(*) > 1
