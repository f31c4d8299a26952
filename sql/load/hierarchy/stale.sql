/*
title:  Runs that lack paths at the costs of one of their profiles
*/
select distinct run_no
from registry.run
join registry.condition using (condition_no)
join registry.condition_profile using (condition_no)
join registry.profile using (profile_no)
anti join base.travel_price using (run_no, profile_no, c_branch, c_title)
where list_contains($trees, task)
order by run_no
