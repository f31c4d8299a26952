/*
title:    Scored trials of a run per block and subset, counted without reading its decisions
formula:  n_target and n_nontarget: sums over the segments of the subset; n_nontarget with the documents
          that the run retrieved and the corpus does not have
source:   The 2004 TDT evaluation plan, section 5 (story- and topic-weighted estimation: the denominators)
inputs:   base.decision_rule__v1, registry.condition, registry.condition_profile, registry.task, base.block,
          base.subset_cell, base.trial_count__v1, metric.detection_yes_count__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no       key    run
    profile_no   key    scoring profile
    subset_no    key    subset; 0 is all
    block_no     key    block (topic)
    n_target     count  scored target trials
    n_nontarget  count  scored non-target trials; with those the run retrieved that the corpus does not have
    is_decided   flag   0: the run gave scores alone
edges:    Every block of the condition has a row in subset 0, also without trials.
          In another subset a block has a row when its test set touches it.
          Of accepted decisions only those of segment 0 are used: documents that the corpus does not have.
class:    exact
see also: count__v1, det_population__v1
*/
-- what each subset consists of; of 0 every block is a part, also without trials
with cell as (
    select condition_no, profile_no, 0 as subset_no, block_no, n_target, n_nontarget from base.trial_count__v1
    union all
    select condition_no, profile_no, subset_no, block_no, n_target, n_nontarget
    from base.trial_count__v1 join base.subset_cell using (condition_no, block_no, segment_no)
    union all
    select condition_no, profile_no, 0 as subset_no, block_no, 0 as n_target, 0 as n_nontarget
    from registry.condition join registry.task using (task) join registry.condition_profile using (condition_no)
    join base.block using (condition_no)
    where is_detection = 1 and is_scored = 1
),

total as (
    select
        condition_no, profile_no, subset_no, block_no, whole_sum(n_target) as sum_target,
        whole_sum(n_nontarget) as sum_nontarget
    from cell group by all
),

-- segment 0, of which nothing is known but what the run retrieved
unlisted as (
    select run_no, profile_no, 0 as subset_no, block_no, n_false_alarm as n_unlisted
    from metric.detection_yes_count__v1 where segment_no = 0
)

select
    run_no, profile_no, subset_no, block_no, sum_target as n_target,
    sum_nontarget + coalesce(n_unlisted, 0) as n_nontarget, is_decided
from total join base.decision_rule__v1 using (condition_no, profile_no)
left join unlisted using (run_no, profile_no, subset_no, block_no)
