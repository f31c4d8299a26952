/*
title:    Every number of every run on one block, as far as it is up to date
source:   the relations named in registry.metric
inputs:   ledger.result_block, ledger.item_number, ledger.current_computation, registry.task, base.subset, base.block,
          base.partition_extra_block, base.subset_cell
grain:    run_id, condition_id, profile_id, subset, block_id, metric
columns:
    run_id        key     run
    task          text    task of its condition
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    subset        key     all, or what the number is conditioned on
    block_id      key     topic, event, link block or attribute
    metric        key     metric id
    value         double  the number; NULL where it is undefined
    version       text    version of the metric
    null_reason   text    why the number is NULL; NULL where there is one
edges:    As report.score. A block that only the run has is here too. The number of an item is the same in every subset
          that the item is in.
class:    exact
see also: score
*/
select
    run_id, task, condition_id, profile_id, subset, coalesce(block.block_id, extra.block_id) as block_id, metric, value,
    version, null_reason
from ledger.result_block join ledger.current_computation using (computation_no)
join base.subset using (condition_no, subset_no) left join base.block using (condition_no, block_no)
left join base.partition_extra_block as extra using (run_no, block_no)
where block.block_id is not null or extra.block_id is not null
union all
select run_id, task, condition_id, profile_id, subset, block_id, metric, value, version, null_reason
from ledger.result_block join ledger.current_computation using (computation_no)
join base.subset_cell as cell using (condition_no, block_no)
join base.subset as subset_row on subset_row.condition_no = cell.condition_no and subset_row.subset_no = cell.subset_no
join base.block using (condition_no, block_no)
where task in (select task from registry.task where block = 'item')
union all
select run_id, task, condition_id, profile_id, subset, block_id, metric, value, version, null_reason
from ledger.item_number join ledger.current_computation using (computation_no)
join (
    select condition_no, block_no, 0 as subset_no from base.block
    union all select condition_no, block_no, subset_no from base.subset_cell
) as cell using (condition_no, block_no)
join base.subset as subset_row on subset_row.condition_no = cell.condition_no and subset_row.subset_no = cell.subset_no
join base.block using (condition_no, block_no)
