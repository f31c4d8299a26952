/*
title:    Every condition has a scoring profile
severity: error
inputs:   registry.condition, registry.condition_profile
checked:  after every load
*/
select *
from registry.condition
anti join registry.condition_profile using (condition_no)
limit 1000
