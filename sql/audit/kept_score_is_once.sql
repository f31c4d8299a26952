/*
title:    Rows of ledger.result_score are unique: computation_no, subset_no, metric, weighting, version
severity: error
inputs:   ledger.result_score
checked:  with the stored numbers
*/
select computation_no, subset_no, metric, weighting, version, count(*) as n_row
from ledger.result_score
group by all
having count(*) > 1
