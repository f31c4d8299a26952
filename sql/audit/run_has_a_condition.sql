/*
title:    Runs belong to a condition
severity: error
inputs:   registry.condition, registry.run
checked:  after every load
*/
select *
from registry.run
anti join registry.condition using (condition_no)
limit 1000
