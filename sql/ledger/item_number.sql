/*
title:    Scores of items that no computation stores: those of runs without a second epoch
formula:  the score of the only sample
source:   E. Miller, Adding Error Bars to Evals (arXiv 2411.00640), section 3 (samples are averaged before items)
inputs:   ledger.computation, base.item_score, base.item_measure, registry.run, registry.condition
grain:    computation_no, subset_no, block_no, metric
columns:
    computation_no  key     computation
    subset_no       key     0: all; report.block_score has the item in each of its subsets
    block_no        key     item
    metric          key     metric id
    value           double  the number; NULL where it is undefined
    version         text    version of metric.items_block__v1, whose rows these are
    null_reason     text    why the number is NULL; NULL where there is one
edges:    With epochs they are in ledger.result_block.
class:    exact
see also: report.block_score
*/
select
    computation_no, 0 as subset_no, block_no, measure as metric,
    case when is_error = 0 or error_item = 'score' then given_score end as value, 'v1' as version,
    case when value is null then 'where no sample is scored' end as null_reason
from base.item_score join ledger.computation using (run_no) join registry.run using (run_no)
join registry.condition using (condition_no) join base.item_measure using (condition_no, measure_no)
where run_no not in (select run_no from base.item_score where epoch <> 1)
