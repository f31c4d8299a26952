/*
title:    Every number that differs; NULL where an archive does not have it
*/
select
    condition_id, run_id, profile_id, subset, weighting, block_id, metric, before as "old", now as "new", because
from both_numbers
join cause using (condition_id, run_id, profile_id)
where is_other
order by
    condition_id, run_id, profile_id, subset, coalesce(weighting, 'None'), coalesce(block_id, 'None'), metric
