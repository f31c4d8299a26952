/*
title:    Every number of every run on one block, compared with the median run of its condition
formula:  median: of an odd number of runs the middle value, of an even number the mean of the two middle ones
          difference = value - median
source:   The TREC filtering track, appendix of the proceedings (per topic, difference from the median)
inputs:   ledger.result_block, ledger.item_number, ledger.current_computation, base.subset, base.block,
          registry.counted_run
grain:    run_id, condition_id, profile_id, subset, block_id, metric
columns:
    run_id        key     run
    task          text    task of its condition
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    subset        key     all, or what the number is conditioned on
    block_id      key     topic, event, link block or attribute
    metric        key     metric id
    value         double  the run's number
    median        double  the median over the runs of the condition
    difference    double  value - median
    n_run         count   runs with a number there that are not withdrawn
edges:    Undefined numbers are not here and do not count, withdrawn runs do not count. A run alone is its own median.
class:    exact
see also: block_score
*/
with ranked as (
    select
        condition_no, profile_no, subset_no, block_no, metric, run_id, task, condition_id, profile_id, value,
        count(counts) over topic as n_run,
        case
            when counts = 1 then row_number() over (
                partition by condition_no, profile_no, subset_no, block_no, metric, counts order by value, run_no
            ) * 2 between n_run and n_run + 2
        end as is_middle
    from (
        select computation_no, subset_no, block_no, metric, value from ledger.result_block
        union all select computation_no, subset_no, block_no, metric, value from ledger.item_number
    ) as number
    join ledger.current_computation using (computation_no)
    left join (select run_no, 1 as counts from registry.counted_run) as counted using (run_no)
    where value is not null
    window topic as (partition by condition_no, profile_no, subset_no, block_no, metric)
)

select
    run_id, task, condition_id, profile_id, subset, block_id, metric, value,
    (min(case when is_middle then value end) over topic + max(case when is_middle then value end) over topic) / 2
        as median,
    value - median as difference, n_run
from ranked join base.subset using (condition_no, subset_no)
join base.block using (condition_no, block_no)
window topic as (partition by condition_no, profile_no, subset_no, block_no, metric)
