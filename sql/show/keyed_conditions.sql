/*
title:  Conditions with a key of trials, with their profiles in order, their runs, and the attributes of the key
*/
select
    condition_id, condition_no,
    (
        select list(profile_id order by profile_no)
        from registry.condition_profile
        join registry.profile using (profile_no)
        where condition_profile.condition_no = condition.condition_no
    ) as profiles,
    (
        select map(list(run_id order by run_id), list(run_no order by run_id))
        from registry.run
        where run.condition_no = condition.condition_no
    ) as runs,
    (
        select list(distinct attribute order by attribute)
        from base.verification_attribute as named
        where named.condition_no = condition.condition_no
    ) as attributes
from registry.condition
join registry.task using (task)
where decides_on = 'trial'
order by condition_id
