/*
title:    Histogram of the scores of every run and topic, as far as it is up to date
source:   Manmatha, Feng, Allan, A Critical Examination of TDT's Cost Function, section 1.1
inputs:   ledger.result_histogram, ledger.current_computation, registry.run, registry.condition, registry.task,
          registry.condition_profile, registry.profile, base.block
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
    null_reason   text   external: no result is stored; the other numbers are NULL
edges:    A run and profile without stored results, or whose numbers are not up to date, have one row, with NULL for
          topic, kind and bin.
          Bins without scores are here with 0. Targets and non-targets of a topic have the same bins.
class:    external: its bins follow from the fitted score_distribution, stored with it
module:   tdtsql.scoring.distribution
see also: score_distribution (the curves that belong to it)
*/
select
    run.run_id, condition.condition_id, profile.profile_id, block_id, is_target, bin_no, lower_end, upper_end, n_score,
    case when n_score is null or n_score < 0 then 'external' end as null_reason
from registry.run join registry.condition using (condition_no) join registry.task using (task)
join registry.condition_profile using (condition_no) join registry.profile using (profile_no)
left join ledger.current_computation as current using (run_no, profile_no)
left join ledger.result_histogram using (computation_no)
left join base.block using (condition_no, block_no)
where is_detection = 1
