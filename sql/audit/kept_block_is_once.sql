/*
title:    Rows of ledger.result_block are unique: computation_no, subset_no, block_no, metric, version
severity: error
inputs:   ledger.result_block
checked:  with the stored numbers
edges:    Rows that follow each other with ascending blocks are unique; only keys with several such parts are grouped.
*/
with follower as (
    select
        computation_no, subset_no, metric, version, block_no, lag(computation_no) over () as computation_before,
        lag(subset_no) over () as subset_before, lag(metric) over () as metric_before,
        lag(version) over () as version_before, lag(block_no) over () as block_before
    from ledger.result_block
),

part as (
    select computation_no, subset_no, metric, version
    from follower
    where coalesce(
        computation_no <> computation_before or subset_no <> subset_before or metric <> metric_before
        or version <> version_before or block_no <= block_before, true
    )
),

again as (
    select computation_no, subset_no, metric, version
    from part
    group by all
    having count(*) > 1
)

select computation_no, subset_no, block_no, metric, version, count(*) as n_row
from ledger.result_block
semi join again using (computation_no, subset_no, metric, version)
group by all
having count(*) > 1
