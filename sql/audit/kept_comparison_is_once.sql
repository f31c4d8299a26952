/*
title:    Rows of ledger.result_comparison are unique: pair or run, and setting
severity: error
inputs:   ledger.result_comparison
checked:  with the stored numbers
*/
select
    computation_no, baseline_computation_no, subset, metric, weighting, unit, test, interval, level,
    missing, n_permutation, n_draw, seed, draws_version, count(*) as n_row
from ledger.result_comparison
group by all
having count(*) > 1
