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
        condition_no, block_no, block_id
    from base.block
)

select
    run_id, condition_id, profile_id, block_id, is_target, bin_no, lower_end, upper_end, n_score
from ledger.result_histogram
join ledger.current_computation using (computation_no)
join ledger.computation using (computation_no)
join registry.run
    on run.run_no = computation.run_no
join registry.condition using (condition_no)
join registry.profile
    on profile.profile_no = computation.profile_no
left join block_name using (condition_no, block_no)
