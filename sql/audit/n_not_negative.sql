/*
title:    The count behind a number is not negative
severity: error
inputs:   report.score
*/
select *
from report.score
where n is null or n < 0
