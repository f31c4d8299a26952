/*
title:    Profiles of conditions exist
severity: error
inputs:   registry.condition_profile, registry.profile
checked:  after every load
*/
select *
from registry.condition_profile
anti join registry.profile using (profile_no)
limit 1000
