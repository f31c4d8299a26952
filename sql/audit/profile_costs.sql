/*
title:    Priors lie between 0 and 1, costs are positive
severity: error
inputs:   registry.profile
checked:  after every load
*/
select profile_id, p_target, c_miss, c_fa
from registry.profile
where p_target <= 0 or p_target >= 1 or c_miss <= 0 or c_fa <= 0
