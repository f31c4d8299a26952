/*
title:    Counts of a histogram are not negative, a bin ends where it begins or later
severity: error
inputs:   ledger.result_histogram
checked:  with the stored numbers
*/
select *
from ledger.result_histogram
where n_score < 0 or upper_end < lower_end
