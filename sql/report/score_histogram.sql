/*
title:    Histogram of the scores of every run and topic, as far as it is up to date
source:   Manmatha, Feng, Allan, A Critical Examination of TDT's Cost Function, section 1.1
inputs:   ledger.result_histogram, ledger.computation, ledger.current_computation, registry.run, registry.condition, registry.profile, base.block
grain:    run_id, condition_id, profile_id, block_id, is_target, bin_no
columns:
    run_id        key    run
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    block_id      key    topic; NULL for all topics together
    is_target     key    1: targets; 0: non-targets
    bin_no        key    bin, from 0
    lower_end     score  lower end, within
    upper_end     score  upper end, not within, except in the last bin
    n_score       count  scores in it
edges:    Bins without scores are here with 0. Targets and non-targets of a topic have the same bins.
class:    exact
see also: score_distribution (the curves that belong to it)
*/
with

block_name as (

    select
        block.condition_no as condition_no,
        block.block_no as block_no,
        block.block_id as block_id
    from base.block as block

)

select
    run.run_id as run_id,
    condition.condition_id as condition_id,
    profile.profile_id as profile_id,
    block_name.block_id as block_id,
    result.is_target as is_target,
    result.bin_no as bin_no,
    result.lower_end as lower_end,
    result.upper_end as upper_end,
    result.n_score as n_score
from ledger.result_histogram as result
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
left join block_name as block_name
    on block_name.condition_no = run.condition_no
    and block_name.block_no = result.block_no
