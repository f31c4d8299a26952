/*
title:    Counts of a detection run per block and subset
formula:  n_miss = n_target - n_hit
          n_correct_rejection = n_nontarget - n_false_alarm
source:   The 2004 TDT evaluation plan, section 5
inputs:   registry.run, registry.condition, registry.condition_profile, base.block, base.subset_cell, base.trial_count__v1, metric.detection_yes_count__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no               key    run
    profile_no           key    scoring profile
    subset_no            key    subset; 0 is all
    block_no             key    block (topic)
    n_target             count  scored target trials
    n_nontarget          count  scored non-target trials
    n_hit                count  targets the system said yes to
    n_false_alarm        count  non-targets the system said yes to
    n_miss               count  targets the system said no to, or nothing of
    n_correct_rejection  count  non-targets the system said no to, or nothing of
    n_trial              count  scored trials
metrics:
    n_target             n=n_trial  best=none     Target trials
    n_nontarget          n=n_trial  best=none     Non-target trials
    n_hit                n=n_trial  best=highest  Targets accepted
    n_false_alarm        n=n_trial  best=lowest   Non-targets accepted
    n_miss               n=n_trial  best=lowest   Targets rejected
    n_correct_rejection  n=n_trial  best=highest  Non-targets rejected
edges:    Every block of the condition has a row in subset 0, also without trials.
          In another subset a block has a row when its test set touches it.
class:    exact
see also: rate__v1, pooled__v1, topic_weighted__v1
*/
with

cell as (
    select
        run_no, trial.condition_no, profile_no, block_no, segment_no, n_target, n_nontarget,
        coalesce(n_hit, 0) as n_hit,
        coalesce(n_false_alarm, 0) as n_false_alarm
    from registry.run
    join base.trial_count__v1 as trial using (condition_no)
    left join metric.detection_yes_count__v1 using (run_no, profile_no, block_no, segment_no)
),

-- every block once with nothing, so that a block without trials is a row too
part as (
    select
        run_no, profile_no,
        0 as subset_no,
        block_no,
        cast(0 as bigint) as n_target,
        cast(0 as bigint) as n_nontarget,
        cast(0 as bigint) as n_hit,
        cast(0 as bigint) as n_false_alarm
    from registry.run
    join registry.condition using (condition_no)
    join registry.condition_profile using (condition_no)
    join base.block using (condition_no)
    where task in ('tracking', 'new_event', 'link', 'filtering')
        and is_scored = 1
    union all
    select
        run_no, profile_no,
        0 as subset_no,
        block_no, n_target, n_nontarget, n_hit, n_false_alarm
    from cell
    union all
    select
        run_no, profile_no, subset_no, block_no, n_target, n_nontarget, n_hit, n_false_alarm
    from cell
    join base.subset_cell using (condition_no, block_no, segment_no)
),

total as (
    select
        run_no, profile_no, subset_no, block_no,
        cast(sum(n_target) as bigint) as n_target,
        cast(sum(n_nontarget) as bigint) as n_nontarget,
        cast(sum(n_hit) as bigint) as n_hit,
        cast(sum(n_false_alarm) as bigint) as n_false_alarm
    from part
    group by run_no, profile_no, subset_no, block_no
)

select
    run_no, profile_no, subset_no, block_no, n_target, n_nontarget, n_hit, n_false_alarm,
    n_target - n_hit as n_miss,
    n_nontarget - n_false_alarm as n_correct_rejection,
    n_target + n_nontarget as n_trial
from total
