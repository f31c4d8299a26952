/*
title:    Counts of a detection run per block and subset
formula:  n_miss = n_target - n_hit
          n_correct_rejection = n_nontarget - n_false_alarm
source:   The 2004 TDT evaluation plan, section 5
inputs:   registry.run, base.subset_cell, metric.detection_yes_count__v1, metric.detection_trial_total__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no               key    run
    profile_no           key    scoring profile
    subset_no            key    subset; 0 is all
    block_no             key    block (topic)
    n_target             count  scored target trials
    n_nontarget          count  scored non-target trials; with those the run retrieved that the corpus does not have
    n_hit                count  targets the system accepted
    n_false_alarm        count  non-targets the system accepted
    n_miss               count  targets rejected or without a decision
    n_correct_rejection  count  non-targets rejected or without a decision
    n_trial              count  scored trials
    n_decided            count  the same; 0 where the run gave scores alone
    is_decided           flag   0: the run gave scores alone
metrics:
    n_target             n=n_trial    best=none     Target trials
    n_nontarget          n=n_trial    best=none     Non-target trials
    n_hit                n=n_decided  best=highest  Targets accepted
    n_false_alarm        n=n_decided  best=lowest   Non-targets accepted
    n_miss               n=n_decided  best=lowest   Targets rejected
    n_correct_rejection  n=n_decided  best=highest  Non-targets rejected
edges:    A document that a run retrieved and the corpus does not have (the corpus is what its qrels
          name) is a trial of that run, and a false alarm.
          Every block of the condition has a row in subset 0, also without trials.
          In another subset a block has a row when its test set touches it.
          Of a run of scores alone the counts of its answers are NULL.
class:    exact
see also: trial_total__v1, rate__v1, pooled__v1, topic_weighted__v1
*/
-- of every subset that a segment is in; segment 0, of which nothing is known but what the run retrieved, is in 0 alone
with said as (
    select run_no, profile_no, 0 as subset_no, block_no, n_hit, n_false_alarm from metric.detection_yes_count__v1
    union all
    select run_no, profile_no, subset_no, block_no, n_hit, n_false_alarm
    from metric.detection_yes_count__v1 join registry.run using (run_no)
    join base.subset_cell using (condition_no, block_no, segment_no)
),

total as (
    select run_no, profile_no, subset_no, block_no, whole_sum(n_hit) as sum_hit, whole_sum(n_false_alarm) as sum_fa
    from said group by all
)

select
    run_no, profile_no, subset_no, block_no, n_target, n_nontarget,
    case when is_decided = 1 then coalesce(sum_hit, 0) end as n_hit,
    case when is_decided = 1 then coalesce(sum_fa, 0) end as n_false_alarm, n_target - n_hit as n_miss,
    n_nontarget - n_false_alarm as n_correct_rejection, n_target + n_nontarget as n_trial,
    case when is_decided = 1 then n_trial else 0 end as n_decided, is_decided
from metric.detection_trial_total__v1
left join total using (run_no, profile_no, subset_no, block_no)
