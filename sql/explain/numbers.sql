/*
title:    The numbers of a run that are explained, in each weighting
*/
select weighting, value, n, signature, null_reason
from report.score
where run_id = $run and condition_id = $condition and profile_id = $profile and metric = $metric and subset = $subset
order by weighting
