/*
title:  The costs of steps and titles in the profiles of a condition
*/
select profile_no, c_branch, c_title
from registry.condition_profile
join registry.profile using (profile_no)
where condition_no = $condition_no and c_branch is not null and c_title is not null
order by profile_no
