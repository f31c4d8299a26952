/*
title:    Answers on one block that are names, as far as they are up to date
source:   the relations named in registry.metric
inputs:   ledger.result_label, ledger.current_computation, base.block
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
select run_id, task, condition_id, profile_id, block_id, metric, value
from ledger.result_label join ledger.current_computation using (computation_no)
join base.block using (condition_no, block_no)
