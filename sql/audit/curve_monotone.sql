/*
title:    Along a curve misses and false alarms move in opposite directions, never back
severity: error
inputs:   report.det_point
*/
with

step as (
    select
        run_id, condition_id, profile_id, subset, weighting, block_id,
        p_miss - lag(p_miss) over line as miss,
        p_fa - lag(p_fa) over line as fa
    from report.det_point
    window line as (
        partition by run_id, condition_id, profile_id, subset, weighting, block_id
        order by point_no
    )
)

-- a curve begins with reject-all or, by the rule of NIST's program, at its other end
select
    run_id, condition_id, profile_id, subset, weighting, block_id,
    min(miss) as miss_falls, max(miss) as miss_rises,
    min(fa) as fa_falls, max(fa) as fa_rises
from step
group by all
having not (miss_rises <= 1e-12 and fa_falls >= -1e-12) and not (miss_falls >= -1e-12 and fa_rises <= 1e-12)
