/*
title:    A trial is decided once
severity: error
inputs:   base.decision
*/
select run_no, block_no, trial_no, count(*) as n_row
from base.decision
group by all
having count(*) > 1
