/*
title:    Standard errors are not negative
severity: error
inputs:   report.det_point
*/
select *
from report.det_point
where p_miss_se < 0 or p_fa_se < 0
