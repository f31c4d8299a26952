/*
title:    What was accepted are warnings
severity: error
inputs:   registry.problem
checked:  after every load
*/
select *
from registry.problem
where code not like 'W%'
