/*
title:    Answers on one block that are names, as far as they are up to date
source:   the relations named in registry.metric
inputs:   ledger.result_label, ledger.computation, ledger.current_computation, registry.run, registry.condition, registry.profile, base.block
grain:    run_id, condition_id, profile_id, block_id, metric
columns:
    run_id        key   run
    task          text  task of its condition
    condition_id  key   evaluation condition
    profile_id    key   scoring profile
    block_id      key   topic
    metric        key   metric id
    value         text  the name
edges:    As report.score.
class:    exact
see also: block_score
*/
select
    run.run_id as run_id,
    condition.task as task,
    condition.condition_id as condition_id,
    profile.profile_id as profile_id,
    block.block_id as block_id,
    result.metric as metric,
    result.value as value
from ledger.result_label as result
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
inner join base.block as block
    on block.condition_no = run.condition_no
    and block.block_no = result.block_no
