/*
title:    Rows of ledger.result_distribution are unique: computation_no, block_no, prior
severity: error
inputs:   ledger.result_distribution
checked:  with the stored numbers
*/
select computation_no, block_no, prior, count(*) as n_row
from ledger.result_distribution
group by all
having count(*) > 1
