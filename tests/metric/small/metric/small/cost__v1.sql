/*
title:    Cost
source:   Our own, section 2
inputs:   base.count__v1, registry.profile
grain:    run_no, profile_no, subset_no, weighting
columns:
    profile_no  key    the profile
    c_det       cost   the cost
    n_block     count  how many
metrics:
    c_det  n=n_block  best=lowest  Cost
class:    exact
*/
select
    profile.profile_no as profile_no,
    profile.p_target * counted.weight as c_det,
    counted.weight as n_block
from base.count__v1 as counted
inner join registry.profile as profile
    on profile.profile_no = counted.story_no
