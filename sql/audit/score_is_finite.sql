/*
title:    A number is finite or NULL
severity: error
inputs:   report.score
*/
select *
from report.score
where isnan(value) or (isinf(value) and metric not in ('min_threshold', 'cllr', 'calibration_loss'))
