/*
title:    An undefined number has n = 0
severity: warning
inputs:   report.score
*/
select *
from report.score
where value is null and n <> 0 and metric <> 'min_threshold'
