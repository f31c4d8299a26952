/*
title:    Rows of ledger.result_det_point are unique: computation_no, subset_no, weighting, block_no,
          point_no
severity: error
inputs:   ledger.result_det_point
checked:  with the stored numbers
*/
select computation_no, subset_no, weighting, block_no, point_no, count(*) as n_row
from ledger.result_det_point
group by all
having count(*) > 1
