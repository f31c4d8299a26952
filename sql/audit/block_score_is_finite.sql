/*
title:    A number of a block is finite or NULL
severity: error
inputs:   report.block_score
*/
select *
from report.block_score
where isnan(value) or (isinf(value) and metric not in ('min_threshold', 'cllr', 'calibration_loss'))
