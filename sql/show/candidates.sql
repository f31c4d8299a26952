/*
title:  False alarms that may be annotation misses, the most probable first
*/
select *
from report.adjudication
where condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
    and block_id = coalesce($topic, block_id)
    and ($limit = 0 or place <= $limit)
order by condition_id, profile_id, place
