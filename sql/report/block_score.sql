/*
title:    Every number of every run on one block, as far as it is up to date
source:   the relations named in registry.metric
inputs:   ledger.result_block, ledger.computation, ledger.current_computation, registry.run, registry.condition, registry.profile, base.subset, base.block
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
edges:    As report.score.
class:    exact
see also: score
*/
select
    run.run_id as run_id,
    condition.task as task,
    condition.condition_id as condition_id,
    profile.profile_id as profile_id,
    subset.subset as subset,
    block.block_id as block_id,
    result.metric as metric,
    result.value as value,
    result.version as version
from ledger.result_block as result
inner join ledger.current_computation as newest
    on newest.computation_no = result.computation_no
inner join ledger.computation as computation
    on computation.computation_no = result.computation_no
inner join registry.run as run
    on run.run_no = computation.run_no
inner join registry.condition as condition
    on condition.condition_no = run.condition_no
inner join registry.profile as profile
    on profile.profile_no = computation.profile_no
inner join base.subset as subset
    on subset.condition_no = run.condition_no
    and subset.subset_no = result.subset_no
inner join base.block as block
    on block.condition_no = run.condition_no
    and block.block_no = result.block_no
