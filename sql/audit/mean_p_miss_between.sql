/*
title:    Mean p_miss is between the topics' smallest and largest
severity: error
inputs:   report.block_score, report.score
*/
select
    run_id, condition_id, profile_id, subset, whole.value as mean,
    min(part.value) as low, max(part.value) as high
from report.score as whole
join report.block_score as part using (run_id, condition_id, profile_id, subset, metric)
where metric = 'p_miss' and weighting = 'topic' and whole.value is not null and part.value is not null
group by all
having mean < low - 1e-9 or mean > high + 1e-9
