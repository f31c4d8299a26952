/*
title:    Rows of ledger.result_block are unique: computation_no, subset_no, block_no, metric, version
severity: error
inputs:   ledger.result_block
checked:  with the stored numbers
*/
select computation_no, subset_no, block_no, metric, version, count(*) as n_row
from ledger.result_block
group by all
having count(*) > 1
