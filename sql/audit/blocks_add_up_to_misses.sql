/*
title:    The topics' misses add up to the run's
severity: error
inputs:   registry.task, report.block_score, report.score
*/
select run_id, condition_id, profile_id, subset, whole.value as of_run, sum(part.value) as of_blocks
from report.score as whole
join report.block_score as part using (run_id, condition_id, profile_id, subset, metric)
join registry.task on task.task = whole.task
where metric = 'n_miss' and whole.weighting in ('story', 'none') and decides_on = 'topic'
group by all
having of_run is distinct from of_blocks
