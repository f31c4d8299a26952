/*
title:    Decisions belong to a run
severity: error
inputs:   base.decision, registry.run
*/
select *
from (select distinct run_no from base.decision) as child
anti join registry.run using (run_no)
limit 1000
