/*
title:    Every number of every run on one block, beside the median run of its condition
formula:  median: of an odd number of runs the middle value, of an even number the mean of the two middle ones
          difference = value - median
source:   The TREC filtering track, appendix of the proceedings (per topic, difference from the median)
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
    value         double  the run's number
    median        double  the median over the runs of the condition
    difference    double  value - median
    n_run         count   runs with a number there
edges:    Undefined numbers are not here and do not count. A run alone is its own median.
class:    exact
see also: block_score
*/
with

kept as (

    select
        run.condition_no as condition_no,
        computation.profile_no as profile_no,
        result.subset_no as subset_no,
        result.block_no as block_no,
        result.metric as metric,
        run.run_no as run_no,
        run.run_id as run_id,
        result.value as value
    from ledger.result_block as result
    inner join ledger.current_computation as newest
        on newest.computation_no = result.computation_no
    inner join ledger.computation as computation
        on computation.computation_no = result.computation_no
    inner join registry.run as run
        on run.run_no = computation.run_no
    where result.value is not null

),

ranked as (

    select
        kept.condition_no as condition_no,
        kept.profile_no as profile_no,
        kept.subset_no as subset_no,
        kept.block_no as block_no,
        kept.metric as metric,
        kept.run_id as run_id,
        kept.value as value,
        row_number() over (
            partition by kept.condition_no, kept.profile_no, kept.subset_no, kept.block_no, kept.metric
            order by kept.value, kept.run_no
        ) as place,
        count(*) over (
            partition by kept.condition_no, kept.profile_no, kept.subset_no, kept.block_no, kept.metric
        ) as n_run
    from kept as kept

),

middle as (

    select
        ranked.condition_no as condition_no,
        ranked.profile_no as profile_no,
        ranked.subset_no as subset_no,
        ranked.block_no as block_no,
        ranked.metric as metric,
        (min(ranked.value) + max(ranked.value)) / 2 as median
    from ranked as ranked
    where 2 * ranked.place >= ranked.n_run
        and 2 * ranked.place <= ranked.n_run + 2
    group by ranked.condition_no, ranked.profile_no, ranked.subset_no, ranked.block_no, ranked.metric

)

select
    ranked.run_id as run_id,
    condition.task as task,
    condition.condition_id as condition_id,
    profile.profile_id as profile_id,
    subset.subset as subset,
    block.block_id as block_id,
    ranked.metric as metric,
    ranked.value as value,
    middle.median as median,
    ranked.value - middle.median as difference,
    ranked.n_run as n_run
from ranked as ranked
inner join middle as middle
    on middle.condition_no = ranked.condition_no
    and middle.profile_no = ranked.profile_no
    and middle.subset_no = ranked.subset_no
    and middle.block_no = ranked.block_no
    and middle.metric = ranked.metric
inner join registry.condition as condition
    on condition.condition_no = ranked.condition_no
inner join registry.profile as profile
    on profile.profile_no = ranked.profile_no
inner join base.subset as subset
    on subset.condition_no = ranked.condition_no
    and subset.subset_no = ranked.subset_no
inner join base.block as block
    on block.condition_no = ranked.condition_no
    and block.block_no = ranked.block_no
