/*
title:  Conditions and profiles whose runs have DET curves, all of the runs that are named
*/
select condition_id, profile_id, task
from registry.run
join registry.condition using (condition_no)
join registry.task using (task)
join registry.condition_profile using (condition_no)
join registry.profile using (profile_no)
where is_detection = 1
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
group by condition_id, profile_id, task
having list_has_all(list(run_id), $runs)
order by condition_id, min(profile_no)
