/*
title:    C at a later time is never smaller
severity: error
inputs:   report.score
*/
select
    run_id, condition_id, profile_id, weighting, subset, value,
    lag(value) over (
        partition by run_id, condition_id, profile_id, weighting
        order by cast(replace(subset, 'tau=', '') as double)
    ) as before
from report.score
where metric = 'comprehensiveness_tau' and subset like 'tau=%'
qualify value < before - 1e-12
