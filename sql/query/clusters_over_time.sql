/*
title:       A number of clusterings over time
question:    What is the score of each run in each block, day or window, and where does it change?
about:       clusters
inputs:      report.block_score, base.partition_window, registry.condition
parameters:
    run        run        none   one run; none: all
    condition  condition  none   one condition; none: all
    profile    profile    none   one scoring profile; none: all
    metric     metric     b3_f1  the metric to show
    subset     subset     all    what the number is conditioned on
grain:       condition_id, profile_id, run_id, block_id
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    run_id        key     run
    block_id      key     block
    first_day     text    first day of the window; NULL where the block is not a window
    last_day      text    its last day
    n_gold_item   count   items of the gold in the block
    value         double  the number; NULL where it is undefined
    change        double  value - that of the block before; NULL at the first, and where one of the two is
order:       Conditions, profiles and runs by name, blocks by first day, then by name.
edges:       Blocks of runs of partition. An item that is in several windows counts in each.
see also:    split_clusters, merged_clusters, report.block_score
*/
with

size as (
    select condition_id, profile_id, run_id, subset, block_id, value::bigint as n_gold_item
    from report.block_score
    where metric = 'n_gold_item'
),

number as (
    select condition_id, profile_id, run_id, block_id, first_day, last_day, n_gold_item, block_score.value
    from report.block_score
    join size using (condition_id, profile_id, run_id, subset, block_id)
    join registry.condition using (condition_id)
    left join base.partition_window using (condition_no, block_id)
    where metric = $metric
        and subset = $subset
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
        and run_id = coalesce($run, run_id)
)

select
    condition_id, profile_id, run_id, block_id, first_day, last_day, n_gold_item, value,
    value - lag(value) over (
        partition by condition_id, profile_id, run_id
        order by first_day, block_id
    ) as change
from number
order by condition_id, profile_id, run_id, first_day, block_id
