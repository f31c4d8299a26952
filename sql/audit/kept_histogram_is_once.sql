/*
title:    Rows of ledger.result_histogram are unique: computation_no, block_no, is_target, bin_no
severity: error
inputs:   ledger.result_histogram
checked:  with the stored numbers
*/
select computation_no, block_no, is_target, bin_no, count(*) as n_row
from ledger.result_histogram
group by all
having count(*) > 1
