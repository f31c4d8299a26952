/*
title:    Rows of ledger.result_interval are unique: run and setting
severity: error
inputs:   ledger.result_interval
checked:  with the stored numbers
*/
select computation_no, subset, metric, weighting, unit, interval, level, n_draw, seed, count(*) as n_row
from ledger.result_interval
group by all
having count(*) > 1
