/*
title:    Rows of ledger.result_label are unique: computation_no, block_no, metric
severity: error
inputs:   ledger.result_label
checked:  with the stored numbers
*/
select computation_no, block_no, metric, count(*) as n_row
from ledger.result_label
group by all
having count(*) > 1
