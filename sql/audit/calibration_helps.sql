/*
title:    The best calibration costs no more than none
severity: error
inputs:   registry.profile, report.score
*/
select *
from report.score
where metric = 'calibration_loss' and value < -1e-9
    and profile_id in (select profile_id from registry.profile where min_cllr = 'none')
