/*
title:    Rows of ledger.result_pairing are unique: computation_no, subset_no, block_no
severity: error
inputs:   ledger.result_pairing
checked:  with the stored numbers
*/
select computation_no, subset_no, block_no, count(*) as n_row
from ledger.result_pairing
group by all
having count(*) > 1
