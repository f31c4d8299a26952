/*
title:    Training stories belong to a topic of the condition
severity: error
inputs:   base.block, base.training_story
checked:  after every load
*/
select *
from base.training_story
anti join base.block using (condition_no, block_no)
limit 1000
