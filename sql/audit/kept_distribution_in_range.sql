/*
title:    Fitted shares lie in [0, 1], counts are not negative
severity: error
inputs:   ledger.result_distribution
checked:  with the stored numbers
*/
select *
from ledger.result_distribution
where p_target not between 0 and 1 or p_rel not between 0 and 1 or n_on < 0 or n_off < 0
