/*
title:    An expected error is not negative
severity: error
inputs:   report.score
*/
select *
from report.score
where metric = 'ee' and value < 0
