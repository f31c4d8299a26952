/*
title:    Numbers of runs by topic, with the places of the runs and metrics in their lists
*/
select run_place, block_id, list_position($metrics, metric) - 1 as metric_place, value
from report.block_score
join (
    select unnest($conditions) as condition_id, unnest($runs) as run_id, unnest($places) as run_place
) as run using (condition_id, run_id)
where profile_id = $profile
    and subset = $subset
    and list_contains($metrics, metric)
