/*
title:    A stored score of a block is in the range of its contract
severity: error
inputs:   ledger.result_block, registry.contract, registry.metric
checked:  with the stored numbers
*/
with

limits as (
    select
        metric, metric.version,
        min(coalesce(low, '-infinity')) as low,
        max(coalesce(high, 'infinity')) as high
    from registry.metric
    join registry.contract using (relation, column_name)
    group by metric, metric.version
)

-- NaN is above every number
select kept.*, low, high
from ledger.result_block as kept
join limits using (metric, version)
where kept.value < low or kept.value > high or isnan(kept.value)
    or (isinf(kept.value) and metric not in ('min_threshold', 'cllr', 'calibration_loss'))
