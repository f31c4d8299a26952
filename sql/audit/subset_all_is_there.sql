/*
title:    Every condition has the subset all
severity: error
inputs:   base.subset, registry.condition
checked:  after every load
*/
select *
from registry.condition
anti join (select condition_no from base.subset where subset_no = 0 and subset = 'all') as parent using (condition_no)
limit 1000
