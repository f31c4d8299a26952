/*
title:    A stored point of a curve is in the unit square, its errors and cost are not negative
severity: error
inputs:   ledger.result_det_point
checked:  with the stored numbers
*/
select *
from ledger.result_det_point
where p_miss not between 0 and 1 or p_fa not between 0 and 1
    or p_miss_se not between 0 and 1e300 or p_fa_se not between 0 and 1e300
    or c_det_norm not between 0 and 1e300 or n_block < 0
