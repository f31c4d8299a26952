/*
title:    The count of a stored score is not negative
severity: error
inputs:   ledger.result_score
checked:  with the stored numbers
*/
select *
from ledger.result_score
where n < 0
