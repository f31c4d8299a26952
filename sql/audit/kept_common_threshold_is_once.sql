/*
title:    Rows of ledger.result_common_threshold are unique: computation_no, prior
severity: error
inputs:   ledger.result_common_threshold
checked:  with the stored numbers
*/
select computation_no, prior, count(*) as n_row
from ledger.result_common_threshold
group by all
having count(*) > 1
