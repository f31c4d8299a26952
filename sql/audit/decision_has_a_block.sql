/*
title:    Decisions about a topic belong to a topic of the condition
severity: error
inputs:   base.block, base.decision, registry.run
*/
select decided.*
from (select distinct run_no, block_no from base.decision where block_no <> 0) as decided
join registry.run using (run_no)
anti join base.block using (condition_no, block_no)
