/*
title:  The topics of a run and of a baseline with their numbers, the largest difference first; within rounding it is 0
*/
with

number as (
    select [condition_id, run_id] as place, block_id, value
    from report.block_score
    where profile_id = $profile
        and subset = $subset
        and metric = $metric
),

pair as (
    select block_id, run.value, baseline.value as baseline_value, run.value - baseline.value as apart
    from (select block_id, value from number where place = $run) as run
    full join (select block_id, value from number where place = $baseline) as baseline using (block_id)
)

select
    block_id, value, baseline_value,
    case
        when abs(apart) <= greatest(1e-12, pow(2, -49) * greatest(abs(value), abs(baseline_value))) then 0 else apart
    end as difference
from pair
order by abs(difference) desc nulls last, block_id
