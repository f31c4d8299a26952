/*
title:    Points of a curve lie in the unit square
severity: error
inputs:   report.det_point
*/
select *
from report.det_point
where p_miss < 0 or p_miss > 1 or p_fa < 0 or p_fa > 1
